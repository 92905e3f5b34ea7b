"""glTF's side: hierarchy, morph targets, then skin, from the written file alone.

``pose`` gives world matrices (of ``nodes``) and vertices (of ``streams`` and ``instances``); ``samplers`` plays an
animation's channels; ``lights`` says what shines and looks, and where.
"""
