# Convert games from a Makefile. To be included, or run as it is; `make -j` works for all of it.
#
# One folder a bundle, made again when the bundle is newer:
#
#   make -f convert.mk BUNDLES=Game/Bundles OUT=assets
#
# Games as a whole, made again when a file that they were made from is newer (the depfile beside each tells) or a file
# has come or gone:
#
#   make -f convert.mk GAMES="first/Game_Data second/Game_Data" OUT=assets
#
# The target is a folder's report.json, which every run that went through touches; of a game, only what changed is done.
# Exit code 1 of `unity2gltf convert` (something has errors) stops make, and the next make tries again: add
# `--fail-on never` to FLAGS to go on in spite of errors. Make splits words at spaces, so GAMES, BUNDLES and the names of
# bundles must have none; names within a game may be anything.

UNITY2GLTF ?= unity2gltf
OUT        ?= assets
FLAGS      ?= --quiet --jobs 1
ENDINGS    ?= bundle assetbundle unity3d ab

bundles := $(foreach folder,$(BUNDLES),$(sort $(foreach ending,$(ENDINGS),$(shell find "$(folder)" -name '*.$(ending)'))))
games   := $(foreach game,$(GAMES),$(OUT)/$(subst /,_,$(game)))

.DEFAULT_GOAL := all
.PHONY: all
all: $(bundles:%=$(OUT)/%/report.json) $(games:%=%/report.json)

# A run with errors leaves its report to be read, but as old as can be.
old = || { touch -t 197001020000 "$@"; false; }

$(bundles:%=$(OUT)/%/report.json): $(OUT)/%/report.json: %
	$(UNITY2GLTF) convert "$<" -o "$(@D)" $(FLAGS) $(old)

define game_rule
$(OUT)/$(subst /,_,$(1))/report.json: $(shell find "$(1)" -type d | sed 's/ /\\ /g')
	$(UNITY2GLTF) convert "$(1)" -o "$$(@D)" --depfile "$$(@D)/report.d" $(FLAGS) $$(old)
-include $(OUT)/$(subst /,_,$(1))/report.d
endef
$(foreach game,$(GAMES),$(eval $(call game_rule,$(game))))
