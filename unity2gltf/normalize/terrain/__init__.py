"""Terrains: TerrainData in, a mesh and one baked material out.

``decode`` runs it: ``heights`` turns samples into positions, normals and triangles, ``reduce`` leaves samples out where
there are too many and measures what that moves; ``material`` describes how the layers are blended to one base colour
texture, which ``textures.blend`` bakes.
"""
