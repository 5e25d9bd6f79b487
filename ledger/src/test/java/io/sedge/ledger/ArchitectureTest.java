package io.sedge.ledger;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Freezes that the state machine stands alone and is deterministic. */
class ArchitectureTest {
  private static JavaClasses all;

  @BeforeAll
  static void importClasses() {
    all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sedge");
  }

  /** Without this, a build that sees no classes would pass every other rule. */
  @Test
  void theClassesAreThere() {
    assertThat(all.contain(StateMachine.class)).isTrue();
  }

  @Test
  void theLedgerNeedsTheJdkAndWhatAlarmsAreAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.sedge.ledger..", "io.sedge.alarm..", "java..", "org.jspecify..")
        .check(all);
  }

  /** Each of these would make members differ that apply the same log. */
  @Test
  void theStateMachineKnowsNoClockNoChanceAndNoThreads() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(java.util.Random.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ThreadLocalRandom.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.HashMap")
        .check(all);
  }
}
