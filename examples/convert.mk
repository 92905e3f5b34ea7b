# Convert games from a Makefile: one output folder a game, done again when one of the game's files is newer.
#
#   make -f examples/convert.mk GAMES="first/Game_Data second/Game_Data" OUT=assets
#
# Exit code 1 of `unity2gltf convert` (something has errors) stops make, and the next make converts that game again:
# the mark .converted is set only after success. Add `--fail-on never` to FLAGS to go on in spite of errors.

UNITY2GLTF ?= unity2gltf
OUT        ?= assets
FLAGS      ?= --quiet

.PHONY: all
all: $(foreach game,$(GAMES),$(OUT)/$(subst /,_,$(game))/.converted)

define game_rule
$(OUT)/$(subst /,_,$(1))/.converted: $$(shell find "$(1)" -type f)
	$(UNITY2GLTF) convert "$(1)" -o "$$(@D)" $(FLAGS)
	@touch "$$@"
endef
$(foreach game,$(GAMES),$(eval $(call game_rule,$(game))))
