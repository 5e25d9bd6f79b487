package io.sedge.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.sql.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same queries on Flink and on Sedge give the same rows. {@code -Dsedge.seed=N} asks the random
 * queries of that seed over its data; {@code -Dsedge.seeds=N} says how many seeds the long run
 * tries.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OracleTest {
  private static final long FIRST_SEED = 1;
  private static final int SEEDS = 4;
  private static final int SEEDS_IF_LONG = 200;
  private static final int QUERIES_PER_SEED = 40;

  private Path directory;
  private Flink flink;
  private Oracle oracle;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    this.directory = directory;
    flink = new Flink();
    oracle = oracle(FIRST_SEED);
  }

  @AfterAll
  void stop() {
    flink.close();
  }

  private Oracle oracle(long seed) throws IOException {
    return new Oracle(flink, directory.resolve("seed-" + seed), seed);
  }

  @TestFactory
  List<DynamicTest> everyKindOfWindowGivesTheSameRows() throws IOException {
    return cases("/cases/windows.sql");
  }

  @TestFactory
  List<DynamicTest> everyKindOfQueryGivesTheSameRows() throws IOException {
    return cases("/cases/queries.sql");
  }

  /** Input that ends, whole: rows are final, none is late. */
  @TestFactory
  List<DynamicTest> everyKindOfQueryOverTheWholeInputGivesTheSameRows() throws IOException {
    return cases("/cases/batch.sql");
  }

  /** Cases that begin with the same statements are asked together. */
  private List<DynamicTest> cases(String resource) throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Map<String, List<Case>> together = new LinkedHashMap<>();
    for (Case each : Case.read(resource)) {
      if (each.refused().isEmpty()) {
        together.computeIfAbsent(each.statements(), statements -> new ArrayList<>()).add(each);
      } else {
        tests.add(DynamicTest.dynamicTest(each.name(), () -> assertRefused(each)));
      }
    }
    for (Map.Entry<String, List<Case>> group : together.entrySet()) {
      List<Case> cases = group.getValue();
      List<Answer> answers = oracle.flink(group.getKey(), cases.stream().map(Case::flink).toList());
      for (int i = 0; i < cases.size(); i++) {
        Case each = cases.get(i);
        Answer answer = answers.get(i);
        tests.add(DynamicTest.dynamicTest(each.name(), () -> assertSame(each, answer)));
      }
    }
    return tests;
  }

  private void assertSame(Case each, Answer flinks) throws InterruptedException {
    Answer sedges = oracle.sedge(each.statements(), each.query());
    assertThat(flinks).isInstanceOf(Answer.Rows.class);
    List<String> differences = Answer.differences(flinks, sedges, each.sorted(), each.key());
    if (each.fault().isEmpty()) {
      assertThat(differences).as(each.query()).isEmpty();
    } else {
      assertThat(sedges).isInstanceOf(Answer.Rows.class);
      assertThat(differences).as("else the mark is to go: " + each.query()).isNotEmpty();
    }
  }

  private void assertRefused(Case each) throws InterruptedException {
    assertThat(oracle.sedge(each.statements(), each.query()))
        .isInstanceOfSatisfying(
            Answer.Refusal.class,
            refusal ->
                assertThat(refusal.problems())
                    .as("problems with a remedy")
                    .isNotEmpty()
                    .allMatch(problem -> problem.remedy().isPresent())
                    .extracting(Problem::line)
                    .allMatch(line -> line > 0));
  }

  @TestFactory
  List<DynamicTest> everyExpressionGivesTheSameValues() throws Exception {
    return expressions(
        "",
        (flinks, sedges) -> {
          assertThat(flinks).isInstanceOf(Answer.Rows.class);
          assertThat(Answer.differences(flinks, sedges, false, -1)).isEmpty();
        });
  }

  @TestFactory
  List<DynamicTest> whatFailsOnFlinkFailsOnSedge() throws Exception {
    return expressions(
        "!",
        (flinks, sedges) -> {
          assertThat(flinks).isInstanceOf(Answer.Failure.class);
          assertThat(sedges).isInstanceOfAny(Answer.Failure.class, Answer.Refusal.class);
        });
  }

  /** Else the line belongs among the others. */
  @TestFactory
  List<DynamicTest> whatIsMarkedAsFaultOfFlinkDiffers() throws Exception {
    return expressions(
        "~",
        (flinks, sedges) -> assertThat(Answer.differences(flinks, sedges, false, -1)).isNotEmpty());
  }

  /** A test for each expression whose line begins with a mark. */
  private List<DynamicTest> expressions(String mark, BiConsumer<Answer, Answer> assertion)
      throws Exception {
    List<String> texts = Expressions.marked(mark);
    Expressions expressions = new Expressions(oracle);
    List<Answer> flinks = expressions.flink(texts);
    List<Answer> sedges = expressions.sedge(texts);
    List<DynamicTest> tests = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      Answer flinksAnswer = flinks.get(i);
      Answer sedgesAnswer = sedges.get(i);
      tests.add(
          DynamicTest.dynamicTest(
              texts.get(i), () -> assertion.accept(flinksAnswer, sedgesAnswer)));
    }
    return tests;
  }

  @TestFactory
  Stream<DynamicTest> randomQueriesGiveTheSameRows() {
    Long seed = Long.getLong("sedge.seed");
    return seed != null
        ? Stream.of(randomQueries(seed))
        : LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS).mapToObj(this::randomQueries);
  }

  @TestFactory
  @Tag("long")
  Stream<DynamicTest> manyRandomQueriesGiveTheSameRows() {
    long first = System.nanoTime() >>> 20;
    return LongStream.range(first, first + Integer.getInteger("sedge.seeds", SEEDS_IF_LONG))
        .mapToObj(this::randomQueries);
  }

  private DynamicTest randomQueries(long seed) {
    return DynamicTest.dynamicTest(
        "-Dsedge.seed=" + seed,
        () -> {
          RandomQueries random = new RandomQueries(seed);
          List<RandomQueries.Query> queries =
              Stream.generate(random::next).limit(QUERIES_PER_SEED).toList();
          Oracle oracle = oracle(seed);
          List<Answer> answers =
              oracle.flink(
                  random.statements(), queries.stream().map(RandomQueries.Query::text).toList());
          List<String> failures = new ArrayList<>();
          for (int i = 0; i < queries.size(); i++) {
            RandomQueries.Query query = queries.get(i);
            Answer sedges = oracle.sedge(random.statements(), query.text());
            List<String> differences =
                Answer.differences(answers.get(i), sedges, false, query.key());
            if (!differences.isEmpty()) {
              failures.add(query.text() + "\n  " + String.join("\n  ", differences));
            }
          }
          assertThat(failures).as("-Dsedge.seed=%d", seed).isEmpty();
        });
  }
}
