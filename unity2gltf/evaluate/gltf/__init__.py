"""glTF's side: hierarchy, morph targets, then skin, from the written file alone."""
