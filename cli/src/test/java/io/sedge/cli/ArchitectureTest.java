package io.sedge.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Freezes who may depend on whom. It lives here because the command line is the one module that
 * sees all the others.
 */
class ArchitectureTest {
  private static final String ROOT = "io.sedge.";
  private static final String CONNECTOR = "connector";
  private static final Set<String> CONNECTORS =
      Set.of(
          "filesystem",
          "datagen",
          "print",
          "blackhole",
          "host",
          "history",
          "mqtt",
          "sparkplug",
          "modbus",
          "opcua",
          "center",
          "alarm",
          "kafka",
          "jdbc",
          "http");

  /** Module to the modules of ours that it may use. Connectors follow a rule of their own. */
  private static final Map<String, Set<String>> ARROWS =
      Map.ofEntries(
          entry("engine", Set.of()),
          entry("alarm", Set.of()),
          entry(CONNECTOR, Set.of("engine", "alarm")),
          entry("format.avro", Set.of("engine", CONNECTOR)),
          entry("format.binaryjson", Set.of("engine", CONNECTOR)),
          entry("format.protobuf", Set.of("engine", CONNECTOR)),
          entry("mqtt", Set.of(CONNECTOR)),
          entry("uplink", Set.of("engine", "alarm", CONNECTOR)),
          entry("learning", Set.of("engine", CONNECTOR)),
          entry("learning.onnx", Set.of("engine", CONNECTOR, "learning")),
          entry("learning.tensorflow", Set.of("engine", CONNECTOR, "learning")),
          entry("sql", Set.of("engine", CONNECTOR, "learning")),
          entry("learning.training", Set.of("engine", CONNECTOR, "learning", "sql", "task")),
          entry("division", Set.of("engine", CONNECTOR, "sql")),
          entry("task", Set.of("engine", CONNECTOR, "sql")),
          entry("placement", Set.of()),
          entry("ledger", Set.of("alarm")),
          entry("replication", Set.of("ledger")),
          entry("site.api", Set.of("alarm", CONNECTOR, "sql", "task", "ledger")),
          entry("identity", Set.of(CONNECTOR, "task", "site.api", "replication")),
          entry(
              "site",
              Set.of(
                  "engine",
                  "alarm",
                  CONNECTOR,
                  "learning",
                  "learning.training",
                  "sql",
                  "division",
                  "task",
                  "placement",
                  "ledger",
                  "replication",
                  "site.api",
                  "identity",
                  "uplink")),
          entry(
              "center",
              Set.of(
                  "engine", "alarm", CONNECTOR, "sql", "division", "task", "identity", "uplink")),
          entry(
              "console",
              Set.of("engine", "alarm", CONNECTOR, "sql", "task", "site.api", "identity")),
          entry("broker", Set.of()),
          entry("simulator", Set.of()),
          entry("flink", Set.of(CONNECTOR, "learning", "sql", "task")),
          entry("flink.runner", Set.of()),
          entry(
              "cli",
              Set.of(
                  "engine",
                  "alarm",
                  CONNECTOR,
                  "learning",
                  "learning.training",
                  "sql",
                  "division",
                  "task",
                  "placement",
                  "ledger",
                  "site.api",
                  "site",
                  "uplink",
                  "center",
                  "console",
                  "broker",
                  "flink",
                  "simulator")));

  private static final Set<String> OF_A_CONNECTOR = Set.of("engine", CONNECTOR);

  /** What some connectors use besides: the far ends that are ours, and the client of brokers. */
  private static final Map<String, String> BESIDES =
      Map.of(
          CONNECTOR + ".center", "uplink",
          CONNECTOR + ".alarm", "alarm",
          CONNECTOR + ".mqtt", "mqtt",
          CONNECTOR + ".sparkplug", "mqtt");

  private static JavaClasses all;

  @BeforeAll
  static void importClasses() {
    all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.sedge");
  }

  /** Without this, a build that cannot see the classes would pass every other rule. */
  @Test
  void theEngineIsAmongTheImportedClasses() {
    check(classes().should(belongToAKnownModule()));
    assertThat(all).anyMatch(javaClass -> module(javaClass).equals("engine"));
  }

  @Test
  void theEngineNeedsTheJdkAlone() {
    check(
        classes()
            .that(areOf("engine"))
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.sedge.engine..", "java..", "org.jspecify.."));
  }

  @Test
  void placementNeedsTheJdkAlone() {
    assertThat(all).anyMatch(javaClass -> module(javaClass).equals("placement"));
    check(
        classes()
            .that(areOf("placement"))
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.sedge.placement..", "java..", "org.jspecify.."));
  }

  @Test
  void modulesUseOnlyTheModulesBelowThem() {
    check(
        classes()
            .should(
                depend("only on the modules below", (origin, target) -> allowed(origin, target))));
  }

  @Test
  void nobodyImportsAConnector() {
    check(
        classes()
            .should(
                depend(
                    "on no connector but itself",
                    (origin, target) ->
                        !CONNECTORS.contains(connector(module(target)))
                            || module(origin).equals(module(target)))));
  }

  @Test
  void internalPackagesAreUsedByTheirOwnModuleOnly() {
    check(
        classes()
            .should(
                depend(
                    "on no internal package of another module",
                    (origin, target) ->
                        !List.of(target.getPackageName().split("\\.", -1)).contains("internal")
                            || module(origin).equals(module(target)))));
  }

  @Test
  void modulesFormNoCycle() {
    check(slices().assignedFrom(new ByModule()).should().beFreeOfCycles());
  }

  /** A module's root is what others may use, and stands above: it makes what is inside. */
  @Test
  void internalPackagesFormNoCycle() {
    check(slices().assignedFrom(new ByInternalPackage()).should().beFreeOfCycles());
  }

  @Test
  void theEngineAndPlacementAreHandedTheirClockAndNeverWait() {
    check(
        noClasses()
            .that(areOf("engine").or(areOf("placement")))
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .because("the clock is handed in, so that tests run in virtual time"));
  }

  @Test
  void onlyTheCommandLineAndThePrintConnectorWriteToStandardOutput() {
    check(
        noClasses()
            .that(
                describe(
                    "are outside cli and the print connector",
                    javaClass ->
                        !module(javaClass).equals("cli")
                            && !module(javaClass).equals(CONNECTOR + ".print")))
            .should()
            .accessField(System.class, "out")
            .because("standard output is for the rows and the answers that a user asked for"));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(all);
  }

  private static boolean allowed(JavaClass origin, JavaClass target) {
    String from = module(origin);
    String to = module(target);
    Set<String> below = connector(from).isEmpty() ? ARROWS.get(from) : OF_A_CONNECTOR;
    return from.equals(to) || (below != null && below.contains(to)) || to.equals(BESIDES.get(from));
  }

  /**
   * The module, for example {@code sql}, {@code site.api} or {@code connector.mqtt}; empty if it is
   * not of ours.
   */
  private static String module(JavaClass javaClass) {
    String name = javaClass.getPackageName() + ".";
    if (!name.startsWith(ROOT)) {
      return "";
    }
    String[] parts = name.substring(ROOT.length()).split("\\.", -1);
    String two = parts[0] + "." + parts[1];
    return ARROWS.containsKey(two) || CONNECTORS.contains(connector(two)) ? two : parts[0];
  }

  /** The connector's name if the module is a connector, else empty. */
  private static String connector(String module) {
    String prefix = CONNECTOR + ".";
    return module.startsWith(prefix) ? module.substring(prefix.length()) : "";
  }

  private static DescribedPredicate<JavaClass> areOf(String module) {
    return describe("are of " + module, javaClass -> module(javaClass).equals(module));
  }

  private static ArchCondition<JavaClass> belongToAKnownModule() {
    return new ArchCondition<>("belong to a module that this test knows") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        String module = module(item);
        boolean known = ARROWS.containsKey(module) || !connector(module).isEmpty();
        events.add(
            new SimpleConditionEvent(item, known, item.getName() + " is of module " + module));
      }
    };
  }

  private interface Permission {
    boolean permits(JavaClass origin, JavaClass target);
  }

  private static ArchCondition<JavaClass> depend(String description, Permission permission) {
    return new ArchCondition<>("depend " + description) {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass();
          boolean permitted = module(target).isEmpty() || permission.permits(item, target);
          events.add(new SimpleConditionEvent(item, permitted, dependency.getDescription()));
        }
      }
    };
  }

  private static final class ByModule implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
      String module = module(javaClass);
      return module.isEmpty() ? SliceIdentifier.ignore() : SliceIdentifier.of(module);
    }

    @Override
    public String getDescription() {
      return "modules";
    }
  }

  private static final class ByInternalPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
      String name = javaClass.getPackageName();
      boolean ours = !module(javaClass).isEmpty();
      return ours && List.of(name.split("\\.", -1)).contains("internal")
          ? SliceIdentifier.of(name)
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "internal packages";
    }
  }
}
