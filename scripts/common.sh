# Sourced by every script here: where things are, how to say things, how to run something quietly.
# shellcheck shell=bash
set -euo pipefail

tierup_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
tierup_logs="$tierup_root/build/logs"
# One runtime of each supported line; the matrix runs on these and on the installed one.
tierup_runtime_versions="8.0.34 9.0.23 10.0.15 11.0.0"
tierup_jobs="${TIERUP_JOBS:-$(nproc)}"

export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1
# Leave no build server behind on a machine that is not somebody's own.
if [ -n "${CI:-}" ]; then
    export MSBUILDDISABLENODEREUSE=1 DOTNET_CLI_USE_MSBUILD_SERVER=0 UseSharedCompilation=false
fi

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    tierup_bold=$'\e[1m' tierup_dim=$'\e[2m' tierup_red=$'\e[31m' tierup_green=$'\e[32m' tierup_plain=$'\e[0m'
else
    tierup_bold='' tierup_dim='' tierup_red='' tierup_green='' tierup_plain=''
fi

say() { printf '%s\n' "$*"; }
step() { printf '%s==>%s %s\n' "$tierup_bold" "$tierup_plain" "$*"; }
warn() { printf '%swarning:%s %s\n' "$tierup_bold" "$tierup_plain" "$*" >&2; }
die() {
    printf '%serror:%s %s\n' "$tierup_red" "$tierup_plain" "$*" >&2
    exit 1
}

# quietly NAME COMMAND… : the output goes to build/logs/NAME.log and is shown only when the command fails.
quietly() {
    local log="$tierup_logs/$1.log" code=0
    shift
    mkdir -p "$tierup_logs"
    "$@" >"$log" 2>&1 </dev/null || code=$?
    if [ "$code" -ne 0 ]; then
        tail -n "${TIERUP_LOG_LINES:-60}" "$log" >&2
        printf '%serror:%s exit code %s from: %s\n       whole log: %s\n' "$tierup_red" "$tierup_plain" "$code" "$*" \
            "${log#"$tierup_root"/}" >&2
    fi
    return "$code"
}

# need TOOL… : stop with what to do when a tool is missing.
need() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null 2>&1 && continue
        if [ "$tool" = dotnet ]; then
            die "the .NET SDK 10 is not installed (no dotnet on the PATH). It is not a Debian package: install it, then try again"
        fi
        die "$tool is missing: run ./dev setup"
    done
}

# The folder that the dotnet on the PATH is installed in.
dotnet_root() { dirname "$(readlink -f "$(command -v dotnet)")"; }

# The version of the newest Microsoft.NETCore.App that is installed.
installed_runtime() {
    dotnet --list-runtimes | awk '$1 == "Microsoft.NETCore.App" { version = $2 } END { print version }'
}

# build_native PRESET [TARGET] : configure (again only when needed, CMake sees to it) and build all, or that target.
build_native() {
    need cmake ninja
    cd "$tierup_root"
    # Chained: inside an "if" the shell would go on after a failed configure.
    quietly "configure-$1" cmake --preset "$1" && quietly "build-$1" cmake --build --preset "$1" --target "${2:-all}" -j "$tierup_jobs"
}

# build_dotnet PROJECT [ARGUMENT…] : build one C# project in Release.
build_dotnet() {
    local project="$1" name
    shift
    need dotnet
    name="$(basename "$project" .csproj)"
    quietly "build-$name" dotnet build "$project" -c Release -v quiet "$@"
}

# project_version : the version in CMakeLists.txt, the one source of it.
project_version() { sed -n 's/^project(tierup VERSION \([0-9.]*\).*/\1/p' "$tierup_root/CMakeLists.txt"; }
