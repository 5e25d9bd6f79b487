package io.sedge.tensor;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Freezes that this module stands alone, and where TensorFlow may be touched. */
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
    assertThat(all.contain(ClusterSpec.class)).isTrue();
  }

  @Test
  void noOtherModuleOfSedgeIsUsed() {
    noClasses()
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are Sedge's but not this module's",
                (JavaClass target) ->
                    target.getPackageName().startsWith("io.sedge")
                        && !(target.getPackageName() + ".").startsWith("io.sedge.tensor.")))
        .check(all);
  }

  /** The native library is some 200 MB; specs and resolvers must work without it. */
  @Test
  void specsAndResolversUseOfTensorFlowOnlyItsProtocolBuffers() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.sedge.tensor", "io.sedge.tensor.resolver", "io.sedge.tensor.internal")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are TensorFlow's but no protocol buffers",
                (JavaClass target) ->
                    target.getPackageName().startsWith("org.tensorflow")
                        && !target.getPackageName().startsWith("org.tensorflow.proto")))
        .check(all);
  }

  @Test
  void resolversAreHandedTheirEnvironmentAndClock() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.sedge.tensor", "io.sedge.tensor.resolver", "io.sedge.tensor.internal")
        .and()
        .doNotHaveFullyQualifiedName("io.sedge.tensor.resolver.Environment")
        .should()
        .callMethod(System.class, "getenv", String.class)
        .orShould()
        .callMethod(System.class, "getenv")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .accessField(System.class, "out")
        .check(all);
  }

  @Test
  void theRootPackageKnowsNeitherResolversNorWhatRuns() {
    noClasses()
        .that()
        .resideInAPackage("io.sedge.tensor")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.sedge.tensor.resolver..", "io.sedge.tensor.runtime..")
        .allowEmptyShould(true)
        .check(all);
  }
}
