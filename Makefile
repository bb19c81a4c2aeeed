# Two commands: `make play` and `make test`. Each sets up what it needs.

.PHONY: play site site-test test setup web lint unit rules e2e outsiders measure siege long bench fuzz mutants

# The declarations of the board's types are checked too.
DECLARE = --features server/declare

play:
	scripts/setup --play
	$(MAKE) web
	cargo run --profile play --package linstock -- serve --open

test: setup lint web unit rules e2e outsiders

setup:
	scripts/setup

web:
	cd web && npm run build

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --profile checked $(DECLARE) -- -D warnings
	cd web && npm run check

unit:
	rm -rf target/proofs
	LINSTOCK_PROOFS=$(CURDIR)/target/proofs cargo test --workspace --profile checked $(DECLARE)
	cd web && npm test

# Every rule has a test that ran and names it.
rules:
	cargo xtask rules --recorded target/proofs --complete $(shell cat rules/complete)
	cargo xtask rules --handbook

e2e:
	cargo test --workspace --profile checked $(DECLARE) --no-run
	cd web && LINSTOCK_BIN=$(CURDIR)/target/checked/linstock npm run e2e

# The server as strangers meet it: a tool that reads its OpenAPI description, and nginx with TLS. All on the loopback.
outsiders:
	cargo test --workspace --profile checked $(DECLARE) --no-run
	LINSTOCK_BIN=target/checked/linstock scripts/outsiders
	LINSTOCK_BIN=target/checked/linstock scripts/proxy

# How long people wait while the server is attacked, on a quiet machine.
siege:
	cargo build --release --package linstock
	LINSTOCK_BIN=target/release/linstock scripts/siege

# How fast the board is, on a quiet machine.
measure:
	cargo build --release --package linstock
	cd web && LINSTOCK_BIN=$(CURDIR)/target/release/linstock npm run measure

# The long run: 20,000 games a scenario, a million configurations of each piece of geometry.
long:
	LINSTOCK_LONG=1 cargo test --workspace --release

# Instructions counted under valgrind, not seconds.
bench:
	scripts/bench

# Five minutes for each target; MINUTES=1 for a short one.
fuzz:
	scripts/fuzz

# 300 random breaks of the rules, of which tests must notice 95 in a hundred; SEED=7 for the same again.
mutants:
	cargo xtask mutants --count 300 --at-least 95 $(if $(SEED),--seed $(SEED))

# The static site: the board with the rules inside, in a folder that any web host can serve.
site:
	scripts/site

# Whole games on the site with the network off, on a slow line, and under an update.
site-test: site
	cargo build --profile checked --package linstock
	cd web && LINSTOCK_BIN=$(CURDIR)/target/checked/linstock npm run site
