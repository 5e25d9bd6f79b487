package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each element has a copy of what an UNNEST keeps of its row: no more than is read. */
class UnnestFieldsTest {
  private static final String TABLE =
      """
      CREATE TABLE t (id STRING, payload ROW<machine STRING, place ROW<hall INT, cell INT>, samples ARRAY<INT>>)
        WITH ('connector' = 'memory');
      """;

  private static final String FROM = " FROM t CROSS JOIN UNNEST(t.payload.samples) AS u(x)";

  private static List<String> rows(String query) {
    return new Run()
        .row("t", "i", List.of("a", List.of(1, 2), List.of(7, 8)))
        .row("t", "i", null)
        .row("t", "i", List.of("b", List.of(3, 4), List.of(9)))
        .rows(TABLE + query);
  }

  private static PlanNode.Unnest unnest(String query) {
    PlanNode node = Run.compile(TABLE + query).plan().sinks().getFirst().input();
    while (!(node instanceof PlanNode.Unnest unnest)) {
      node = node.inputs().getFirst();
    }
    return unnest;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT t.payload.machine, x" + FROM,
        "SELECT t.payload.machine, x" + FROM + " WHERE x > 7 AND t.payload.place.hall < 9",
        "SELECT UPPER(t.payload.machine), t.payload.machine, t.payload.place.cell" + FROM,
        "SELECT t.payload.place, x" + FROM,
      })
  void aRowOfWhichFieldsAreReadIsNotKept(String query) {
    PlanNode.Unnest unnest = unnest(query);
    assertThat(unnest.kept())
        .isNotEmpty()
        .allSatisfy(
            column ->
                assertThat(unnest.input().schema().type(column).toString())
                    .doesNotContain("samples"));
  }

  @Test
  void whatIsReadIsWhatItWas() {
    assertThat(rows("SELECT x, t.payload.place.cell, t.payload.machine" + FROM + " WHERE x <> 8"))
        .containsExactly("7, 2, a", "9, 4, b");
    assertThat(
            rows(
                "SELECT t.payload.machine, n, x FROM t LEFT JOIN"
                    + " UNNEST(t.payload.samples) WITH ORDINALITY AS u(x, n) ON TRUE"))
        .containsExactly("a, 1, 7", "a, 2, 8", "null, null, null", "b, 1, 9");
  }

  @Test
  void aRowThatIsReadItselfIsKeptOnce() {
    String query = "SELECT t.payload, t.payload.machine, x" + FROM;
    PlanNode.Unnest unnest = unnest(query);
    assertThat(unnest.kept()).hasSize(1);
    assertThat(unnest.input().schema().type(unnest.kept().getFirst()).kind()).isEqualTo(Kind.ROW);
    assertThat(rows(query)).first().isEqualTo("[a, [1, 2], [7, 8]], a, 7");
  }

  /** Calcite alone takes {@code payload} for a table where an UNNEST names it. */
  @Test
  void theTableNeedNotBeNamedWhereThereIsOne() {
    assertThat(
            rows(
                "SELECT payload.machine, x, y FROM t CROSS JOIN UNNEST(payload.samples) AS u(x)"
                    + " CROSS JOIN UNNEST(payload.samples) AS v(y) WHERE x < y"))
        .containsExactly("a, 7, 8");
    assertThat(
            rows(
                "SELECT payload.machine, x FROM t AS other LEFT JOIN UNNEST(payload.samples) AS"
                    + " u(x) ON TRUE WHERE id = 'i'"))
        .hasSize(4);
    assertThat(
            rows(
                "SELECT x FROM (SELECT payload FROM t) AS t CROSS JOIN UNNEST(t.payload.samples)"
                    + " AS u(x)"))
        .containsExactly("7", "8", "9");
  }
}
