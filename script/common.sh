# Functions and package lists that both scripts need. Sourced, not run.

say() { printf '%s\n' "$*" >&2; }

# Installs missing Debian packages. Without apt, or without permission to install, names them and continues.
need_packages() {
    missing=""
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -z "$missing" ] && return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        say "apt not found; install these packages (Debian names):$missing"
        return 0
    fi
    as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            say "no permission to install packages; install them yourself:$missing"
            return 0
        fi
        as_root="sudo"
    fi
    say "installing:$missing"
    # shellcheck disable=SC2086
    $as_root apt-get update -qq >&2 || true
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2 && return 0
    # A package that is unknown here prevents all others from being installed.
    for package in $missing; do
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >&2 ||
            say "could not install $package; continuing without it"
    done
}

need_rust() {
    if ! command -v cargo >/dev/null 2>&1; then
        say "cargo not found on the PATH; install Rust (see the installation page of the Rust language)"
        exit 1
    fi
}

# Packages for building the crates, for a software graphics adapter, for the window, and for tests.
BUILD_PACKAGES="gcc libc6-dev pkg-config"
GRAPHICS_PACKAGES="libvulkan1 mesa-vulkan-drivers libegl1 libgl1-mesa-dri"
WINDOW_PACKAGES="libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon0 libxkbcommon-x11-0 libfontconfig1 libwayland-client0 libwayland-egl1 libwayland-cursor0"
TEST_PACKAGES="chromium ffmpeg libgl1 xvfb xauth xdotool xclip x11-utils x11-apps imagemagick openbox zsh fish jq groff-base fonts-dejavu-core fonts-wqy-microhei fonts-lohit-deva fonts-tlwg-garuda-otf"
