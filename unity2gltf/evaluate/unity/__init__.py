"""Unity's side: hierarchy, blend shapes, then skin, from an asset in Unity space.

``pose`` gives world matrices and vertices, by way of ``shapes``; ``curves`` plays a clip's channels.
"""
