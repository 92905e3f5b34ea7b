"""Pictures of written files, drawn on the CPU by Filament. In: GLB or glTF files. Out: PNG and WebP files.

``run`` takes files through it: ``places`` says where each picture goes, ``filament`` whether the renderer is there,
and ``pool`` hands the files to a process of ``worker``, where a crash of the native renderer costs one picture. There
a file is read back by ``evaluate``, ``pose`` finds the points of what is drawn, ``images`` looks whether its textures
are whole, ``camera`` looks at the points, ``studio`` draws them in its ``light``, and ``pictures`` writes. ``look`` is
what the pictures shall be like.

``viewer`` shows the files of a run in a browser.
"""
