package io.sedge.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher {@code ./sedge} in a project of its own, with JDKs and a builder that are shell
 * scripts: a JDK says its name and what it was called with, the builder makes a library.
 */
class LauncherTest {
  private static final String BUILDER =
      """
      #!/bin/sh
      case $* in
        *tensorflow.platform=macosx-arm64*) exit 1 ;;
        *-Plauncher,tensorflow*)
          mkdir -p learning/tensorflow/target/tensorflow.new
          : >learning/tensorflow/target/tensorflow.new/"t $(echo "$*" | tr / _).jar"
          exit ;;
      esac
      echo "[INFO] Building Sedge :: Engine 0.1.0-SNAPSHOT                 [1/2]"
      echo "[INFO] Building Sedge :: Command line 0.1.0-SNAPSHOT           [2/2]"
      echo build >>builds
      mkdir -p cli/target/sedge/lib
      : >cli/target/sedge/lib/b.jar
      : >cli/target/sedge/lib/a.jar
      """;

  @TempDir Path directory;
  private Path project;
  private final Map<String, String> environment = new HashMap<>();
  private final Map<Process, ProcessBuilder> builders = new HashMap<>();

  private record Outcome(int exitCode, String out, String err) {}

  @BeforeEach
  void makeProject() throws IOException {
    Path launcher = Path.of("..", "sedge");
    assumeTrue(Files.isExecutable(launcher), "there is a launcher");
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "there is a POSIX shell");
    project = Files.createDirectories(directory.resolve("a project"));
    Files.copy(launcher, project.resolve("sedge"));
    executable(project.resolve("sedge"));
    Files.createDirectories(project.resolve("launcher"));
    Files.copy(
        launcher.resolveSibling("launcher/machine.sh"), project.resolve("launcher/machine.sh"));
    write(project.resolve("pom.xml"), "");
    write(project.resolve("engine/src/main/java/A.java"), "");
    script(project.resolve("mvnw"), BUILDER);
    environment.put("HOME", directory.resolve("home").toString());
    environment.put("SEDGE_JVM_DIRECTORY", directory.resolve("jvm").toString());
    environment.put("SEDGE_OPT_DIRECTORY", directory.resolve("opt").toString());
    environment.put("SEDGE_MAC_DIRECTORY", directory.resolve("mac").toString());
  }

  @Test
  void javaHomeIsTakenIfItIsNewEnough() throws Exception {
    jdk("jvm/other", "25.0.3");
    run("x");
    environment.put("JAVA_HOME", jdk("mine", "26.0.1").toString());
    assertThat(run("check", "a b").out()).contains("jdk mine").contains("<check>\n<a b>\n");
  }

  @Test
  void anOlderJavaHomeIsPassedOverForTheUsualPlaces() throws Exception {
    environment.put("JAVA_HOME", jdk("old", "17.0.9").toString());
    jdk("jvm/a", "21.0.2");
    jdk("jvm/b", "25.0.3");
    assertThat(run("--version").out()).contains("jdk jvm/b");
  }

  @Test
  void jdksOfSdkmanAndIntellijAndOptAreFound() throws Exception {
    for (String place :
        List.of("home/.sdkman/candidates/java/25-tem", "home/.jdks/openjdk-25", "opt/jdk")) {
      Path jdk = jdk(place, "25");
      assertThat(run("x").out()).contains("jdk " + place);
      Files.move(jdk, directory.resolve("gone-" + place.hashCode()));
    }
  }

  @Test
  void withoutAJdkItSaysWhatToInstall() throws Exception {
    environment.put("JAVA_HOME", jdk("old", "17.0.9").toString());
    Outcome outcome = run("check", "x");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("needs a JDK 25 ")
        .contains("and found none")
        .contains("which is Java 17")
        .contains("JAVA_HOME=/path/to/jdk");
  }

  @Test
  void itBuildsOnceAndAgainWhenASourceChanges() throws Exception {
    jdk("jvm/a", "25");
    assertThat(run("x").err()).contains("building Sedge :: Engine (1/2)");
    assertThat(run("x").err()).doesNotContain("building");
    assertThat(builds()).isEqualTo(1);
    Path source = project.resolve("engine/src/main/java/A.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(3600)));
    assertThat(run("x").err()).doesNotContain("building");
    write(source, "changed");
    Files.setLastModifiedTime(source, FileTime.fromMillis(0));
    assertThat(run("x").err()).contains("building");
    assertThat(run("x").err()).doesNotContain("building");
    Files.delete(source);
    assertThat(run("x").err()).contains("building");
    assertThat(builds()).isEqualTo(3);
  }

  @Test
  void aLibraryOfAnEarlierBuildIsNotTakenAlong() throws Exception {
    jdk("jvm/a", "25");
    run("x");
    write(project.resolve("cli/target/sedge/lib/a-0.9.jar"), "");
    write(project.resolve("engine/src/main/java/B.java"), "");
    assertThat(run("x").out()).contains("/a.jar:").doesNotContain("a-0.9.jar");
  }

  /** A library of these jars, from which everything is run. */
  private Path library(String... jars) throws Exception {
    Path library = directory.resolve("library");
    for (String jar : jars) {
      write(library.resolve(jar), "");
    }
    environment.put("SEDGE_LIBRARY", library.toString());
    return library;
  }

  @Test
  void aLibraryThatIsNamedIsRunAsItIs() throws Exception {
    jdk("jvm/a", "25");
    write(directory.resolve("a library/one.jar"), "");
    environment.put("SEDGE_LIBRARY", directory.resolve("a library").toString());
    Outcome outcome = run("x");
    assertThat(outcome.out()).contains(directory.resolve("a library/one.jar").toString());
    assertThat(outcome.err()).isEmpty();
    assertThat(project.resolve("builds")).doesNotExist();
    environment.put("SEDGE_LIBRARY", directory.resolve("absent").toString());
    assertThat(run("x").exitCode()).isEqualTo(2);
    assertThat(run("x").err()).contains("absent, which is no directory");
  }

  @Test
  void whatOnlyADeviceNeedsComesLastAndForItAlone() throws Exception {
    jdk("jvm/a", "25");
    Path library = directory.resolve("library");
    List<String> ofDevices =
        List.of("bcpkix-1.jar", "bcprov-1.jar", "ratis-common-1.jar", "sedge-replication-1.jar");
    for (String jar : ofDevices) {
      write(library.resolve(jar), "");
    }
    write(library.resolve("a.jar"), "");
    write(library.resolve("z.jar"), "");
    environment.put("SEDGE_LIBRARY", library.toString());
    String ofAll = "<%1$s/a.jar:%1$s/z.jar".formatted(library);
    assertThat(run("check", "x").out()).contains(ofAll + ">");
    assertThat(run("run", "x").out())
        .contains("%1$s:%2$s/bcpkix-1.jar:%2$s/bcprov-1.jar>".formatted(ofAll, library));
    assertThat(run("device", "start").out())
        .contains(
            ofAll
                + ofDevices.stream().map(jar -> ":" + library + "/" + jar).collect(joining())
                + ">");
  }

  // Some classes are in both: Calcite's own have faults that Flink's have not.
  @Test
  void theClassesOfCalciteThatFlinkHasChangedComeFirst() throws Exception {
    jdk("jvm/a", "25");
    Path library = library("calcite-core-1.jar", "flink-sql-parser-1.jar", "z.jar");
    assertThat(run("run", "x").out())
        .contains(
            "<%1$s/flink-sql-parser-1.jar:%1$s/calcite-core-1.jar:%1$s/z.jar>".formatted(library));
  }

  @Test
  void whatOnlyACenterNeedsIsForItAloneButDriversAreForJobsToo() throws Exception {
    jdk("jvm/a", "25");
    Path library = library("a.jar", "flyway-core-1.jar", "sqlite-jdbc-1.jar");
    String ofAll = "<%1$s/a.jar:%1$s/sqlite-jdbc-1.jar".formatted(library);
    assertThat(run("check", "x").out()).contains(ofAll + ">");
    assertThat(run("device", "start").out()).contains(ofAll + ">");
    assertThat(run("center", "start").out())
        .contains("%s:%s/flyway-core-1.jar>".formatted(ofAll, library));
  }

  @Test
  void whatOnlyABrokerNeedsIsForItAlone() throws Exception {
    jdk("jvm/a", "25");
    Path library =
        library(
            "a.jar", "bcprov-1.jar", "eclipse-collections-1.jar", "ratis-common-1.jar", "z.jar");
    assertThat(run("broker").out())
        .contains(
            "<%1$s/a.jar:%1$s/z.jar:%1$s/bcprov-1.jar:%1$s/eclipse-collections-1.jar>"
                .formatted(library));
    assertThat(run("run", "x").out())
        .contains("<%1$s/a.jar:%1$s/z.jar:%1$s/bcprov-1.jar>".formatted(library));
    assertThat(run("device", "start").out()).doesNotContain("eclipse-collections");
  }

  /** Behind what the command has without it, for which the cache of classes is valid. */
  @Test
  void whatAConsoleNeedsComesLastOfAllAndOnlyIfItIsAskedFor() throws Exception {
    jdk("jvm/a", "25");
    Path library = library("a.jar", "helidon-common-1.jar", "lit-html-1.jar", "ratis-common-1.jar");
    String ofJobs = "%1$s/a.jar:%1$s/helidon-common-1.jar".formatted(library);
    String ofConsoles = library + "/lit-html-1.jar";
    assertThat(run("check", "x").out()).contains("<%s/a.jar>".formatted(library));
    assertThat(run("run", "x").out()).contains("<%s>".formatted(ofJobs));
    assertThat(run("run", "x", "--console").out())
        .contains("<%s:%s>".formatted(ofJobs, ofConsoles));
    String ofDevices = "%s:%s/ratis-common-1.jar".formatted(ofJobs, library);
    assertThat(run("device", "start", "--console=127.0.0.1:1").out())
        .contains("<%s:%s>".formatted(ofDevices, ofConsoles));
    assertThat(run("center", "start").out()).contains("<%s:%s>".formatted(ofJobs, ofConsoles));
    // A device keeps its console, with or without a word of it.
    Path kept = directory.resolve("kept");
    write(kept.resolve("device.properties"), "name=a\nconsole=127.0.0.1\\:7480+\n");
    assertThat(run("device", "start", "--data", kept.toString()).out()).contains(ofConsoles);
    assertThat(run("device", "start", "--data=" + kept).out()).contains(ofConsoles);
    write(kept.resolve("device.properties"), "name=console=1\n");
    assertThat(run("device", "start", "--data", kept.toString()).out())
        .contains("<%s>".formatted(ofDevices));
  }

  /** Behind all else, and not where classes are learnt: it may come and go. */
  @Test
  void tensorFlowStandsBesideTheCommand() throws Exception {
    learningJdk();
    Path library = library("a.jar", "lit-html-1.jar");
    Path beside = directory.resolve("beside");
    write(beside.resolve("tensorflow-1.jar"), "");
    environment.put("SEDGE_TENSORFLOW", beside.toString());
    assertThat(run("run", "x", "--console").out())
        .contains(
            "<%1$s/a.jar:%1$s/lit-html-1.jar:%2$s/tensorflow-1.jar>".formatted(library, beside));
    assertThat(run("--prepare").exitCode()).isZero();
    assertThat(Files.readString(directory.resolve("class-paths"))).doesNotContain("tensorflow");

    Path home = product();
    Map<String, String> wrong =
        Map.of("absent", "absent, which is no directory", "a:b", "a:b, which has a colon");
    for (String name : wrong.keySet()) {
      environment.put("SEDGE_TENSORFLOW", beside + "/" + name);
      for (Path launcher : List.of(project.resolve("sedge"), home.resolve("bin/sedge"))) {
        Outcome outcome = outcome(start(launcher.toString(), "run", "x"));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains(wrong.get(name));
      }
    }

    environment.remove("SEDGE_TENSORFLOW");
    write(home.resolve("tensorflow/tensorflow-1.jar"), "");
    assertThat(outcome(start(home + "/bin/sedge", "check", "x")).out())
        .contains("/a.jar:%s/tensorflow/tensorflow-1.jar>".formatted(home));
  }

  @Test
  void tensorFlowIsFetchedWhenItIsAskedFor() throws Exception {
    jdk("jvm/a", "25");
    script(directory.resolve("bin/uname"), "#!/bin/sh\necho Linux aarch64\n");
    environment.put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
    assertThat(run("--tensorflow").err()).contains("TensorFlow is in " + project.toRealPath());
    String own = "/learning/tensorflow/target/tensorflow-linux-arm64/t ";
    assertThat(run("run", "x").out()).contains(own, "-Dtensorflow.platform=linux-arm64");
    Outcome failed = run("--tensorflow", "macosx-arm64");
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.err()).contains("the build failed");
    assertThat(run("--tensorflow", "linux-x86_64").exitCode()).isZero();
    assertThat(project.resolve("learning/tensorflow/target/tensorflow-linux-x86_64"))
        .isNotEmptyDirectory();
    assertThat(run("run", "x").out())
        .as("that of another machine is beside it")
        .contains(own)
        .doesNotContain("linux-x86_64");
    Outcome unknown = run("--tensorflow", "windows");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("no TensorFlow for 'windows', but for linux-x86_64, ");
  }

  @Test
  void theFirstDeviceThatIsStartedLearnsForAllLaterOnes() throws Exception {
    learningJdk();
    assertThat(run("run", "x").err()).doesNotContain("quick starts of devices");
    assertThat(run("run", "x").out()).containsPattern("<-XX:AOTCache=.*/sedge.aot>");
    assertThat(run("device", "token").err()).doesNotContain("quick starts of devices");
    assertThat(run("device", "start").err()).contains("preparing quick starts of devices");
    Outcome later = run("device", "start");
    assertThat(later.err()).isEmpty();
    assertThat(later.out()).containsPattern("<-XX:AOTCache=.*/sedge-device.aot>");
    assertThat(run("run", "x").out()).containsPattern("<-XX:AOTCache=.*/sedge.aot>");
    assertThat(learnt()).containsExactly("run cli/src/main/sedge/training.sql", "device rehearse");
  }

  @Test
  void whatServicesNeedIsPreparedOnceWhenItIsAskedFor() throws Exception {
    learningJdk();
    Outcome first = run("--prepare");
    assertThat(first.exitCode()).isZero();
    assertThat(first.out()).isEmpty();
    assertThat(run("--prepare").err()).isEmpty();
    assertThat(run("device", "start").err()).isEmpty();
    assertThat(learnt()).hasSize(2);
  }

  @Test
  void whoAsksForHelpWaitsForNothing() throws Exception {
    learningJdk();
    run("x");
    assertThat(run("device", "start", "--help").err()).isEmpty();
    assertThat(learnt()).hasSize(1);
  }

  @Test
  void aDeviceLearnsWithTheHeapOfAllHoweverLittleItMayUse() throws Exception {
    learningJdk();
    run("device", "start", "--memory", "64m");
    assertThat(Files.readString(directory.resolve("heaps"))).isEqualTo("-Xmx128m\n-Xmx128m\n");
  }

  @Test
  void whereNothingIsLearntItIsSaidOnceAndTheDeviceStartsAllTheSame() throws Exception {
    jdk("jvm/a", "25");
    Outcome first = run("device", "start");
    assertThat(first.err()).contains("starts will be slow: see ").contains("sedge-device.aot.log");
    assertThat(first.out()).contains("<device>\n<start>\n").doesNotContain("AOTCache");
    Outcome second = run("device", "start");
    assertThat(second.err()).isEmpty();
    assertThat(second.out()).contains("<device>\n<start>\n");
  }

  /** As while another start prepares the same, or where a full disk has no room for a lock. */
  @Test
  void aDeviceThatCannotLearnStartsAllTheSame() throws Exception {
    learningJdk();
    run("x");
    environment.put("SEDGE_LOCK_SECONDS", "1");
    write(
        project.resolve("cli/target/sedge-build.lock/owner"),
        ProcessHandle.current().pid() + " " + bootId());
    Outcome outcome = run("device", "start");
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.err()).contains("waiting for another start").contains("and remove ");
    assertThat(outcome.out()).contains("<device>\n<start>\n");
    assertThat(run("--prepare").exitCode()).isEqualTo(1);
    assertThat(learnt()).hasSize(1);
  }

  /** A virtual machine that has failed may have left half of one. */
  @Test
  void aCacheOfAJdkThatHasFailedIsNotTaken() throws Exception {
    learningJdk();
    Path java = directory.resolve("jvm/a/bin/java");
    script(java, Files.readString(java) + "[ -z \"${learns:-}\" ] || exit 1\n");
    Outcome prepared = run("--prepare");
    assertThat(prepared.exitCode()).isEqualTo(1);
    assertThat(prepared.err()).contains("starts will be slow: see ");
    Outcome started = run("device", "start");
    assertThat(started.exitCode()).isZero();
    assertThat(started.out()).contains("<device>\n<start>\n").doesNotContain("AOTCache");
    try (Stream<Path> files = Files.walk(project.resolve("cli/target"))) {
      assertThat(files.filter(file -> file.toString().contains(".aot.new"))).isEmpty();
    }
  }

  @Test
  void aServiceThatMayNotWriteStartsWithoutLearning() throws Exception {
    assumeTrue(!"root".equals(System.getProperty("user.name")), "root may write everywhere");
    learningJdk();
    run("run", "x");
    Path build;
    try (Stream<Path> builds = Files.list(project.resolve("cli/target/builds"))) {
      build = builds.findFirst().orElseThrow();
    }
    Files.setPosixFilePermissions(build, PosixFilePermissions.fromString("r-xr-xr-x"));
    Outcome outcome = run("device", "start");
    Files.setPosixFilePermissions(build, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).containsPattern("<-XX:AOTCache=.*/sedge.aot>");
  }

  @Test
  void aLibraryThatIsNamedLearnsWhenItIsAskedTo() throws Exception {
    learningJdk();
    write(directory.resolve("app/lib/one.jar"), "");
    environment.put("SEDGE_LIBRARY", directory.resolve("app/lib").toString());
    assertThat(run("device", "start").out()).doesNotContain("AOTCache");
    assertThat(run("--prepare").exitCode()).isZero();
    assertThat(directory.resolve("app/sedge.aot")).exists();
    assertThat(run("run", "x").out()).containsPattern("<-XX:AOTCache=.*/sedge.aot>");
    assertThat(run("device", "start").out()).containsPattern("<-XX:AOTCache=.*/sedge-device.aot>");
  }

  /** A JDK that makes the caches that it is told to, and notes what it was running. */
  private void learningJdk() throws IOException {
    learningJdk("jvm/a");
  }

  private void learningJdk(String name) throws IOException {
    Path java = jdk(name, "25").resolve("bin/java");
    script(
        java,
        Files.readString(java)
            + """
            for a; do
              case $a in
                -Xmx*) heap=$a ;;
                *.jar) path=$a ;;
                -XX:AOTCacheOutput=*) : >"${a#*=}"; learns=yes ;;
                run | device | rehearse | */training.sql) words="${words:-}${words:+ }${a#*a project/}" ;;
              esac
            done
            [ -z "${learns:-}" ] || { echo "$words" >>'%1$s/learnt'; echo "$heap" >>'%1$s/heaps'
              echo "${path:-}" >>'%1$s/class-paths'; }
            """
                .formatted(directory));
  }

  private List<String> learnt() throws IOException {
    return Files.readAllLines(directory.resolve("learnt"));
  }

  @Test
  void aJdkThatCanBuildIsPreferredToOneThatCanOnlyRun() throws Exception {
    Files.delete(jdk("jvm/a-jre", "25").resolve("bin/javac"));
    jdk("jvm/b-newer", "26");
    jdk("jvm/c", "25");
    assertThat(run("x").out()).contains("jdk jvm/c");
  }

  @Test
  void withoutACompilerItSaysWhatToInstall() throws Exception {
    Files.delete(jdk("jvm/a-jre", "25").resolve("bin/javac"));
    Outcome outcome = run("x");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("needs a JDK 25");
  }

  @Test
  void twoStartsAtOnceBuildOnce() throws Exception {
    jdk("jvm/a", "25");
    script(project.resolve("mvnw"), BUILDER.replace("mkdir", "sleep 1\nmkdir"));
    Process first = start(project.resolve("sedge").toString(), "first");
    Process second = start(project.resolve("sedge").toString(), "second");
    assertThat(outcome(first).out()).contains("<first>");
    assertThat(outcome(second).out()).contains("<second>");
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void aLockWhoseOwnerDiedIsTakenOver() throws Exception {
    jdk("jvm/a", "25");
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    write(project.resolve("cli/target/sedge-build.lock/owner"), dead.pid() + " " + bootId());
    assertThat(run("x").exitCode()).isZero();
  }

  @Test
  void aLockFromBeforeTheMachineWasRestartedIsTakenOver() throws Exception {
    assumeTrue(!bootId().isEmpty(), "the system names each of its starts");
    jdk("jvm/a", "25");
    write(
        project.resolve("cli/target/sedge-build.lock/owner"),
        ProcessHandle.current().pid() + " an-earlier-start\n");
    assertThat(run("x").exitCode()).isZero();
  }

  @Test
  void aLockThatNobodyOwnsIsTakenOver() throws Exception {
    jdk("jvm/a", "25");
    Files.createDirectories(project.resolve("cli/target/sedge-build.lock"));
    assertThat(run("x").exitCode()).isZero();
  }

  @Test
  void whoWaitsTooLongForALockIsToldWhatToDo() throws Exception {
    jdk("jvm/a", "25");
    environment.put("SEDGE_LOCK_SECONDS", "1");
    write(
        project.resolve("cli/target/sedge-build.lock/owner"),
        ProcessHandle.current().pid() + " " + bootId());
    Outcome outcome = run("x");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("waiting for another start").contains("and remove ");
  }

  @Test
  void aProjectThatCannotBeWrittenIsSaid() throws Exception {
    jdk("jvm/a", "25");
    write(project.resolve("cli/target"), "a file where a directory should be");
    Outcome outcome = run("x");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("cannot write ");
  }

  private static String bootId() throws IOException {
    Path file = Path.of("/proc/sys/kernel/random/boot_id");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  @Test
  void aFailedBuildShowsTheEndOfItsLog() throws Exception {
    jdk("jvm/a", "25");
    script(project.resolve("mvnw"), "#!/bin/sh\necho '[ERROR] no such symbol'\nexit 1\n");
    Outcome outcome = run("x");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("[ERROR] no such symbol")
        .contains("cli/target/sedge-build.log");
    assertThat(outcome.out()).isEmpty();
    assertThat(project.resolve("cli/target/sedge-build.lock")).doesNotExist();
  }

  @Test
  void itIsFoundThroughSymbolicLinksAndFromOtherDirectories() throws Exception {
    jdk("jvm/a", "25");
    Path link = directory.resolve("bin/sedge");
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, Path.of("../second"));
    Files.createSymbolicLink(directory.resolve("second"), project.resolve("sedge"));
    assertThat(outcome(start("bin/sedge", "x")).out()).contains("<x>");
    environment.put("PATH", link.getParent() + ":" + System.getenv("PATH"));
    assertThat(outcome(start("/bin/sh", "-c", "sedge y")).out()).contains("<y>");
  }

  @Test
  void theHeapAndMoreOptionsComeFromTheEnvironment() throws Exception {
    jdk("jvm/a", "25");
    assertThat(run("x").out()).contains("<-Xmx128m>");
    environment.put("SEDGE_HEAP", "64m");
    environment.put("JAVA_OPTS", "-Da=1 -Db=2");
    assertThat(run("x").out()).contains("<-Xmx64m>").contains("<-Da=1>\n<-Db=2>\n");
  }

  /** Else Java would not find a file whose name is Chinese. */
  @Test
  void withoutALocaleNamesAreUtf8() throws Exception {
    Path java = jdk("jvm/a", "25").resolve("bin/java");
    script(java, Files.readString(java) + "echo \"locale ${LC_ALL:-}\"\n");
    environment.putAll(Map.of("LANG", "", "LC_ALL", "C", "LC_CTYPE", ""));
    assertThat(run("x").out()).contains("locale C.UTF-8\n");
    environment.put("LC_ALL", "POSIX");
    assertThat(run("x").out()).contains("locale C.UTF-8\n");
    for (String chosen : List.of("de_DE.UTF-8", "zh_CN.GB18030", "ja_JP.eucJP", "de_DE")) {
      environment.put("LC_ALL", chosen);
      assertThat(run("x").out()).contains("locale " + chosen + "\n");
    }
  }

  @Test
  void theHeapOfADeviceFollowsFromItsMemory() throws Exception {
    jdk("jvm/a", "25");
    assertThat(run("device", "start", "--memory", "256m").out()).contains("<-Xmx136m>");
    assertThat(run("device", "join", "x", "--memory=1g").out()).contains("<-Xmx904m>");
    assertThat(run("device", "start", "--memory", "64m").out()).contains("<-Xmx32m>");
    assertThat(run("device", "start", "--memory", "much").out()).contains("<-Xmx128m>");
    assertThat(run("run", "--memory", "256m").out()).contains("<-Xmx128m>");
    environment.put("SEDGE_HEAP", "70m");
    assertThat(run("device", "start", "--memory", "256m").out()).contains("<-Xmx70m>");
  }

  @Test
  void theClassPathIsInOneOrderAndMayHaveBlanks() throws Exception {
    jdk("jvm/a", "25");
    assertThat(run("x").out())
        .containsPattern(
            "<-cp>\n<(\\Q%s\\E/[0-9-]+/lib)/a.jar:\\1/b.jar>"
                .formatted(project.toRealPath().resolve("cli/target/builds")));
  }

  /** The product: it builds nothing, looks for no JDK, and is told so by nobody. */
  @Test
  void whatWasInstalledRunsWithItsOwnRuntime() throws Exception {
    Path home = product();
    environment.put("JAVA_HOME", jdk("mine", "25").toString());
    environment.put("SEDGE_LIBRARY", "/absent");
    Files.createSymbolicLink(directory.resolve("link"), home.resolve("bin/sedge"));
    assertThat(outcome(start("./link", "run", "a b")).out())
        .contains("jdk an installation/runtime\n")
        .contains("<-cp>\n<%s/lib/2~b+1/a.jar>".formatted(home))
        .contains("<run>\n<a b>\n")
        .doesNotContain("AOTCache");
  }

  @Test
  void whatWasInstalledPreparesQuickStartsWhenItIsAskedTo() throws Exception {
    Path home = product();
    Outcome prepared = outcome(start(home + "/bin/sedge", "--prepare"));
    assertThat(prepared.exitCode()).as(prepared.err()).isZero();
    assertThat(outcome(start(home + "/bin/sedge", "run", "x")).out())
        .contains("<-XX:AOTCache=" + home + "/cache/sedge.aot>");
    assertThat(outcome(start(home + "/bin/sedge", "device", "start", "--memory", "256m")).out())
        .contains("<-XX:AOTCache=" + home + "/cache/sedge-device.aot>")
        .contains("<-Xmx136m>");
  }

  /** As dpkg leaves it in the midst of an upgrade; two versions of a class must never meet. */
  @Test
  void ofTwoVersionsThatLieThereOneIsOnTheClassPath() throws Exception {
    Path home = product();
    write(home.resolve("lib/3/a.jar"), "");
    write(home.resolve("lib/3/b.jar"), "");
    assertThat(outcome(start(home + "/bin/sedge", "x")).out())
        .contains("<-cp>\n<%s/lib/2~b+1/a.jar>\n".formatted(home));
    write(home.resolve("version"), "3\n");
    assertThat(outcome(start(home + "/bin/sedge", "x")).out())
        .contains("<-cp>\n<%1$s/lib/3/a.jar:%1$s/lib/3/b.jar>\n".formatted(home));
  }

  /** In the package the caches are a link to a directory that somebody may have removed. */
  @Test
  void preparingBeginsAnewAndMakesTheDirectory() throws Exception {
    Path home = product();
    Files.delete(home.resolve("cache"));
    Path caches = home.resolveSibling("caches");
    Files.createSymbolicLink(home.resolve("cache"), caches);
    assertThat(outcome(start(home + "/bin/sedge", "--prepare")).exitCode()).isZero();
    write(caches.resolve("sedge.aot.new.17.config"), "half-made");
    write(caches.resolve("other.aot"), "old");
    assertThat(outcome(start(home + "/bin/sedge", "--prepare")).exitCode()).isZero();
    try (Stream<Path> files = Files.list(caches)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "sedge.aot", "sedge.aot.log", "sedge-device.aot", "sedge-device.aot.log");
    }
  }

  @Test
  void whereThereIsNoRoomNothingIsPrepared() throws Exception {
    Path home = product();
    script(
        directory.resolve("bin/df"),
        "#!/bin/sh\nprintf '%s\\n' Filesystem '/dev/x  1000000  600000  399000  60% /'\n");
    environment.put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
    Outcome outcome = outcome(start(home + "/bin/sedge", "--prepare"));
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("has 389 MB free, and preparing quick starts takes 400");
    assertThat(directory.resolve("learnt")).doesNotExist();
  }

  @Test
  void whatWasNotInstalledIsSaid() throws Exception {
    Path home = product();
    for (String command : List.of("train", "broker", "--tensorflow")) {
      Outcome outcome = outcome(start(home + "/bin/sedge", command));
      assertThat(outcome.exitCode()).isEqualTo(2);
      assertThat(outcome.err()).startsWith("sedge: this package ").contains("./sedge " + command);
    }
  }

  private Path product() throws IOException {
    learningJdk("an installation/runtime");
    Path home = directory.resolve("an installation").toRealPath();
    write(home.resolve("lib/2~b+1/a.jar"), "");
    write(home.resolve("version"), "2~b+1\n");
    Files.createDirectories(home.resolve("cache"));
    Files.createDirectories(home.resolve("bin"));
    Files.createDirectories(home.resolve("launcher"));
    Path launcher = Path.of("..", "launcher");
    Files.copy(launcher.resolve("product"), home.resolve("bin/sedge"));
    executable(home.resolve("bin/sedge"));
    Files.copy(launcher.resolve("machine.sh"), home.resolve("launcher/machine.sh"));
    return home;
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = directory.resolve(name);
    write(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/javac"), "#!/bin/sh\n");
    script(
        home.resolve("bin/java"),
        "#!/bin/sh\necho 'jdk %s'\nfor a; do printf '<%%s>\\n' \"$a\"; done\n".formatted(name));
    return home;
  }

  private long builds() throws IOException {
    return Files.readAllLines(project.resolve("builds")).size();
  }

  private Outcome run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(project.resolve("sedge").toString()));
    command.addAll(List.of(arguments));
    return outcome(start(command.toArray(String[]::new)));
  }

  private Process start(String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().remove("JAVA_OPTS");
    builder.environment().remove("SEDGE_HEAP");
    builder.environment().putAll(environment);
    builder.redirectError(Files.createTempFile(directory, "err", "").toFile());
    builder.redirectOutput(Files.createTempFile(directory, "out", "").toFile());
    Process process = builder.start();
    builders.put(process, builder);
    return process;
  }

  private Outcome outcome(Process process) throws Exception {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends within a minute").isTrue();
    ProcessBuilder builder = builders.get(process);
    return new Outcome(
        process.exitValue(),
        text(builder.redirectOutput().file().toPath()),
        text(builder.redirectError().file().toPath()));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void script(Path file, String text) throws IOException {
    write(file, text);
    executable(file);
  }

  private static void executable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
