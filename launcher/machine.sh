# How the virtual machine is started: sourced by both launchers, the developer's (../sedge) and the product's (product).
# They set
#   java     the program
#   library  the directory of the jars
#   caches   the directory of the caches of classes, sedge.aot and sedge-device.aot
#   lessons  the directory of the scripts that these are learnt from
#   tensorflow  the directory of TensorFlow's jars, for scripts that score by it; it need not be there
# shellcheck shell=sh disable=SC2154

command=io.sedge.cli.Main
main=$command

say() { printf 'sedge: %s\n' "$*" >&2; }

# Shows a line that replaces the one before it in a terminal.
progress() {
  if [ -t 2 ]; then
    printf '\r\033[Ksedge: %s' "$*" >&2
  else
    say "$*"
  fi
}

# What a device may have resident (--memory) less what is not heap: code, classes, threads, buffers.
device_heap() {
  size=''
  while [ "$#" -gt 0 ]; do
    case $1 in
      --memory) [ "$#" -lt 2 ] || size=$2 ;;
      --memory=*) size=${1#--memory=} ;;
    esac
    shift
  done
  case $size in
    *[!0-9gmGM]* | '' | [gmGM]*) return 0 ;;
    *[gG]) megabytes=$((${size%?} * 1024)) ;;
    *[mM]) megabytes=${size%?} ;;
    *) return 0 ;;
  esac
  [ "$megabytes" -ge 152 ] && printf '%sm' "$((megabytes - 120))" || printf '32m'
}

# Sets the options for the command that follows.
set_machine_options() {
  heap=${SEDGE_HEAP:-}
  [ "${1:-}" != device ] || heap=${heap:-$(device_heap "$@")}
  # Rows of many sites may wait for the database.
  [ "${1:-}:${2:-}" != center:start ] || heap=${heap:-256m}

  # The virtual machine's options, small first. The cache of a training run is valid only with the same
  # collector and headers, and with a class path that begins with the same jars. Code that is unused is looked for
  # when the room for code is nearly full, not each time that a few megabytes more were compiled: with this
  # collector that stops everything for some tenths of a second, and the others of a site take a device for gone.
  machine_options="-Xms16m -Xmx${heap:-128m} -XX:+UseSerialGC -XX:+UseCompactObjectHeaders
    -XX:ReservedCodeCacheSize=48m -XX:SweeperThreshold=100 -XX:-UsePerfData --enable-native-access=ALL-UNNAMED
    --sun-misc-unsafe-memory-access=allow -Dfile.encoding=UTF-8 -Djava.awt.headless=true
    -Dio.netty.allocator.numDirectArenas=1 -Dio.netty.allocator.numHeapArenas=1
    -Dio.netty.allocator.maxOrder=3"
  # A device runs for months: what compiling a job took is given back, and the cache of classes is mapped where it
  # was made for, so that its pages stay the file's. Collected as a whole, the heap becomes as small as it may be, at
  # once, and keeps nothing dead: the device sees to it that it is collected. Without memory it ends, whole, and comes
  # back from its ledger, where half of it would be there and answer nobody. What devices say to each other is little:
  # two threads for clients and server together (of the JDK, as the server has no native ones) and one pool of buffers
  # in chunks of 256 KB do for it, where Ratis's Netty would have eight of 2 MB for two processors, and more for more.
  # Methods are compiled a quarter as early: what runs often is compiled within the first seconds all the same, and much
  # that does not never is. None of these is seen by the cache.
  device_options=''
  ratis_netty=-Dorg.apache.ratis.thirdparty.io.netty
  [ "${1:-}" != device ] || device_options="-XX:MaxNewSize=6m -XX:MinHeapFreeRatio=5 -XX:MaxHeapFreeRatio=10
    -XX:-ShrinkHeapInSteps -XX:MarkSweepDeadRatio=0 -XX:CompileThresholdScaling=4
    -XX:SoftRefLRUPolicyMSPerMB=50 -XX:TrimNativeHeapInterval=5000
    -XX:+ExitOnOutOfMemoryError -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0
    $ratis_netty.allocator.numDirectArenas=1 $ratis_netty.allocator.numHeapArenas=1
    $ratis_netty.allocator.maxOrder=5 $ratis_netty.eventLoopThreads=2
    $ratis_netty.transport.noNative=true"
  case ${1:-}:${2:-} in
    center:start | broker:*) device_options=-XX:+ExitOnOutOfMemoryError ;;
  esac
  # Each of glibc's arenas keeps what it had; by default there are eight a processor.
  [ "${1:-}" = device ] && arenas=1 || arenas=2
  export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-$arenas}"

  # Java reads arguments and names of files as the locale says, which a service or a small system does not have. One
  # that somebody chose (zh_CN.GB18030) stays.
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    '' | C | POSIX) export LC_ALL=C.UTF-8 ;;
  esac
}

# All jars that a command may need, in one order. What only some commands need comes last, and
# for them alone: a job looks for its connectors in each jar that is there, and each that is opened takes memory. What
# --console needs comes after that, and then TensorFlow. A cache of a shorter class path is valid for one that begins so.
class_path() {
  console=''
  data=${SEDGE_DATA:-}
  before=''
  for argument in "$@"; do
    case $before:$argument in
      *:--console | *:--console=*) console=console ;;
      --data:*) data=$argument ;;
      *:--data=*) data=${argument#--data=} ;;
    esac
    before=$argument
  done
  case ${1:-}:${2:-} in
    device:start | device:join) # a device keeps its console for later starts
      for directory in "${data:-${HOME:-}/.sedge}" "${data:-/var/lib/sedge}"; do
        ! grep -qs '^console=' "$directory/device.properties" || console=console
      done
      ;;
  esac
  first=''
  paths=''
  more=''
  last=''
  for jar in "$library"/*.jar; do
    case ${jar##*/} in
      flink-sql-parser-*) kinds=first ;; # has classes of Calcite's that Flink has changed
      ratis-*) kinds=device ;;
      sedge-replication-*) kinds='device center doctor' ;; # doctor looks at what is in a device's directory
      prometheus-*) kinds='device center' ;;
      bcpkix-* | bcprov-* | bcutil-*) kinds='broker device center site run connect new' ;; # certificates are made
      helidon-*) kinds='center device run' ;; # a center, --console and webhook listen for HTTP
      uplot-* | lit-* | codemirror__* | lezer__* | style-mod-* | w3c-keyname-* | crelt-* | marijn__*)
        kinds='center console'
        ;;
      HikariCP-* | flyway-* | jdbi3-* | geantyref-* | jose4j-*) kinds=center ;; # databases' drivers are the connector jdbc's too
      hivemq-community-* | hivemq-extension-* | rocksdbjni-* | xodus-* | kotlin-* | eclipse-collections-* | guice-* | \
        aopalliance-* | jaxb-* | jakarta.* | angus-* | txw2-* | istack-* | zero-allocation-hashing-* | metrics-jmx-*)
        kinds=broker
        ;;
      *) kinds='' ;;
    esac
    case " $kinds " in
      ' first ') first=$jar: ;;
      '  ') paths=$paths${paths:+:}$jar ;;
      *" ${1:-} "*) more=$more:$jar ;;
      *" ${console:-none} "*) last=$last:$jar ;;
    esac
  done
  for jar in "${tensorflow:-/nonexistent}"/*.jar; do
    [ ! -f "$jar" ] || last=$last:$jar
  done
  printf '%s%s%s%s' "$first" "$paths" "$more" "$last"
}

# Runs the command that follows and keeps in $1 what the virtual machine learns from it, so that later starts
# need not load, link and profile the same classes again. Without it sedge works, only starts more slowly. The
# heap is that of the command by default, whatever this start is allowed. What is learnt from `run` is for all commands,
# so with the shortest class path.
learn() {
  learnt=$1
  new=$learnt.new.$$ # another start may prepare the same
  shift
  # shellcheck disable=SC2086,SC2030 # options are words; without TensorFlow, which may come and go
  if "$java" $machine_options -Xmx128m -Xlog:disable \
    -XX:AOTCacheOutput="$new" -cp "$(tensorflow='' && class_path "${1#run}")" "$main" "$@" >"$learnt.log" 2>&1 </dev/null &&
    [ -f "$new" ]; then
    mv "$new" "$learnt"
  else
    rm -f "$new"*
    say "starts will be slow: see $learnt.log"
    return 1
  fi
}

# Of all commands but those of a device: a short script is run.
learn_runs() {
  learn "$caches/sedge.aot" run "$lessons/training.sql" --output table --duration 3s
}

# Of devices: three of them run a job for some seconds. It costs as much as some starts, so only those who
# start a device pay for it, once.
learn_devices() {
  progress "preparing quick starts of devices (once, some 15 s; over a minute on a slow or busy machine)"
  learn "$caches/sedge-device.aot" device rehearse "$lessons/rehearsal.sql"
  learnt_status=$?
  progress "prepared"
  [ ! -t 2 ] || printf '\n' >&2
  return "$learnt_status"
}

# Ends this where a directory of TensorFlow was named that cannot be one.
check_tensorflow() {
  case ${SEDGE_TENSORFLOW:-} in
    '') return 0 ;;
    *:*) wrong="has a colon, which no class path can hold: move it." ;;
    *)
      [ ! -d "$SEDGE_TENSORFLOW" ] || return 0
      wrong="is no directory: name one with TensorFlow's jars, or unset it."
      ;;
  esac
  say "SEDGE_TENSORFLOW is $SEDGE_TENSORFLOW, which $wrong"
  exit 2
}

# Becomes the virtual machine that runs the command that follows.
start() {
  # TensorFlow's notes on the processor and its own workings.
  # shellcheck disable=SC2031
  [ -n "${SEDGE_DEBUG:-}" ] || [ ! -d "${tensorflow:-}" ] || export TF_CPP_MIN_LOG_LEVEL="${TF_CPP_MIN_LOG_LEVEL:-3}"
  cache=$caches/sedge.aot
  [ "${1:-}" != device ] || [ ! -f "$caches/sedge-device.aot" ] || cache=$caches/sedge-device.aot
  [ "$main" = "$command" ] || cache='' # the options of another one would not suit
  set -- -cp "$(class_path "$@")" "$main" "$@"
  [ ! -f "$cache" ] || set -- "-XX:AOTCache=$cache" "$@"
  [ ! -t 0 ] || set -- -Dsedge.in=terminal "$@"
  [ ! -t 1 ] || set -- -Dsedge.out=terminal "$@"
  [ ! -t 2 ] || set -- -Dsedge.err=terminal "$@"
  # shellcheck disable=SC2086 # options are words
  exec "$java" $machine_options $device_options -Xlog:disable ${JAVA_OPTS:-} "$@"
}
