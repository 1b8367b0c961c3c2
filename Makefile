# Banter: make run, test, bench, lint, install. Needs the Swift toolchain;
# the Debian packages that are missing are installed first, saying so.

PREFIX ?= /usr/local
SWIFT ?= swift
RELEASE = --configuration release --static-swift-stdlib
BINARY = .build/release/banter
PLUGINS = .build/release/banter-irc .build/release/banter-nats
# How many tests run side by side: all at once, each would take its time for the
# others.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 8

# To build, to test with real peers, to measure beside servers (which Debian may
# start when it installs them).
BUILD_PACKAGES = libreadline-dev libsqlite3-dev libutf8proc-dev libssl-dev libnats-dev
TEST_PACKAGES = tmux unicode-data strace util-linux procps jq chafa curl bubblewrap less faketime tzdata cmark \
  libxml2-utils openssl openssh-client openssh-server python3 python3-yaml sqlite3 nftables iproute2 \
  ngircd inspircd znc irssi nats-server
BENCH_PACKAGES = jq python3 ripgrep sqlite3 ngircd inspircd irssi tf5 redis-server nats-server gcc

.PHONY: build run test soak bench lint install uninstall clean packages-build packages-test packages-bench

build: $(BINARY) $(PLUGINS)

# Only when a source has changed, so that installing builds nothing anew.
$(BINARY) $(PLUGINS) &: Package.swift $(shell find Sources plugins/*/Sources -type f)
	@share/install-packages $(BUILD_PACKAGES)
	$(SWIFT) build $(RELEASE) --product banter
	$(SWIFT) build $(RELEASE) --product banter-irc
	$(SWIFT) build $(RELEASE) --product banter-nats
	@touch $(BINARY) $(PLUGINS)

run: build
	$(BINARY)

test: packages-build packages-test
	$(SWIFT) build --build-tests
	SWIFT=$(SWIFT) Tests/run --disable-xctest --skip-build

# The tests that are loops, long.
soak: packages-build packages-test
	$(SWIFT) build --build-tests
	BANTER_SOAK=1 BANTER_TEST_SECONDS=14400 SWIFT=$(SWIFT) Tests/run --disable-xctest --skip-build \
	  --filter 'Soak|Fuzz|Neutralization|Differential'

bench: packages-bench build
	Tests/Benchmarks/run $(BINARY)
	Tests/Benchmarks/hub/run $(BINARY)
	Tests/Benchmarks/nats/run $(BINARY)

lint: packages-build
	$(SWIFT) format lint --strict --recursive Package.swift Sources plugins Tests
	$(SWIFT) build --explicit-target-dependency-import-check error

install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/banter $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	  $(DESTDIR)$(PREFIX)/share/systemd/user
	install -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/banter
	install -m 755 .build/release/banter-irc $(DESTDIR)$(PREFIX)/libexec/banter/banter-irc
	ln -sf banter-irc $(DESTDIR)$(PREFIX)/libexec/banter/banter-ircs
	install -m 755 .build/release/banter-nats $(DESTDIR)$(PREFIX)/bin/banter-nats
	ln -sf ../../bin/banter-nats $(DESTDIR)$(PREFIX)/libexec/banter/banter-nats+tls
	install -m 644 share/banter.1 $(DESTDIR)$(PREFIX)/share/man/man1/banter.1
	install -m 644 share/banter.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/banter
	install -m 644 share/_banter $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_banter
	install -m 644 share/systemd/banter.socket $(DESTDIR)$(PREFIX)/share/systemd/user/banter.socket
	sed 's|^ExecStart=banter|ExecStart=$(PREFIX)/bin/banter|' share/systemd/banter.service \
	  >$(DESTDIR)$(PREFIX)/share/systemd/user/banter.service

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/banter $(DESTDIR)$(PREFIX)/libexec/banter/banter-irc \
	  $(DESTDIR)$(PREFIX)/libexec/banter/banter-ircs $(DESTDIR)$(PREFIX)/bin/banter-nats \
	  $(DESTDIR)$(PREFIX)/libexec/banter/banter-nats+tls \
	  $(DESTDIR)$(PREFIX)/share/man/man1/banter.1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/banter \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_banter \
	  $(DESTDIR)$(PREFIX)/share/systemd/user/banter.socket \
	  $(DESTDIR)$(PREFIX)/share/systemd/user/banter.service

clean:
	$(SWIFT) package clean

packages-build: ; @share/install-packages $(BUILD_PACKAGES)
packages-test: ; @share/install-packages $(TEST_PACKAGES)
packages-bench: ; @share/install-packages $(BENCH_PACKAGES)
