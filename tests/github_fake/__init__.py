"""A stateful GitHub on loopback: REST, GraphQL and git, held to GitHub's own descriptions.

with GitHubFake(tmp_path) as hub:
    hub.create_repo("acme/context", folder="fixtures/context")
    Github(base_url=hub.base_url, auth=Auth.Token("tok-bot"))
"""

from .faults import Fault
from .hub import GitHubFake
from .state import Problem

__all__ = ["Fault", "GitHubFake", "Problem"]
