"""IR to bytes: an :class:`~unity2gltf.ir.Asset` in glTF space becomes a .glb, or a .gltf with its .bin and images.

The order of phases, which is also the order of the binary data:

    contract.py   check_asset: every index leads somewhere
    document.py   build_document runs the phases below; glb_bytes and gltf_files lay the result out as files
    meshes.py     meshes and primitives over attributes.py (vertex data), influences.py (JOINTS and WEIGHTS),
                  frames.py and morphs.py (targets: dense, or sparse)
    skins.py      joints and inverse bind matrices
    cameras.py    cameras; lights are in extensions/lights_punctual
    nodes.py      nodes, with the same indices as ``Asset.nodes``; humanoids.py tells which are human bones
    materials.py  materials, one more for a mesh whose UV sets are numbered otherwise; extensions/ one file each
    animations.py animations over tracks.py (samplers); ``--pointer`` targets in extensions/
    textures.py   images (last in the binary, so that they can become files), textures, samplers; shared.py names
                  the files of images that all outputs refer to
    muscles.py    side files of muscle curves that could not be baked
    write.py      the files, whole or not at all; relocate.py gives them other names later

Below them: context.py (state of one file), accessors.py and buffers.py (numpy to views), serialise.py (pygltflib's
objects to JSON). Big arrays are never copied: their memory is handed through to the file.
"""
