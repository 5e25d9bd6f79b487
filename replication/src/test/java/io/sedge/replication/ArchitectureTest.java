package io.sedge.replication;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Freezes where Apache Ratis may be touched. */
class ArchitectureTest {
  @Test
  void onlyTheInternalPackageSeesRatis() {
    JavaClasses all =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.sedge.replication");
    assertThat(all.contain(LedgerMember.class)).isTrue();
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sedge.replication.internal")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.ratis..", "org.slf4j..", "io.sedge.ledger.internal..")
        .check(all);
  }
}
