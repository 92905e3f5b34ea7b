"""Unity's side: hierarchy, blend shapes, then skin, from an asset in Unity space."""
