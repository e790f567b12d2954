"""Verbs: one public function a file, in run order. An engine claims, a stage concludes."""
