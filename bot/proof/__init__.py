"""What a claim has to stand up to before anything is concluded from it, whoever made it."""
