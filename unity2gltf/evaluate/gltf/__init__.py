"""glTF's side: hierarchy, morph targets, then skin, from the written file alone.

``pose`` gives world matrices (of ``nodes``) and vertices (of ``streams``); ``samplers`` plays an
animation's channels.
"""
