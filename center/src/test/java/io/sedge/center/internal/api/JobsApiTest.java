package io.sedge.center.internal.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.center.CenterClient;
import io.sedge.center.api.DiffLine;
import io.sedge.center.api.JobVersion;
import io.sedge.center.api.Requests;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.GivenOrder;
import io.sedge.uplink.JobOrder;
import io.sedge.uplink.OrderState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs for sites, as programs ask for them; nothing sees to versions here. */
@Timeout(60)
class JobsApiTest {
  @TempDir Path directory;
  private TestCenter center;
  private Asking asking;
  private CenterClient admin;

  @BeforeEach
  void start() throws Exception {
    center = new TestCenter(directory);
    asking = new Asking(center);
    admin = CenterClient.local(directory);
    for (String site : List.of("east", "north", "south")) {
      center.store().sites().enrol(site, "ledger-" + site, "key-" + site);
    }
    admin.label("north", Map.of("zone", "cold"));
    admin.label("south", Map.of("zone", "cold", "line", "3"));
  }

  @AfterEach
  void stop() {
    admin.close();
    asking.close();
    center.close();
  }

  private static Requests.ForJob job(
      String script, @Nullable List<String> sites, @Nullable Map<String, String> labels) {
    return new Requests.ForJob(script, sites, labels, null, null, null, null);
  }

  @Test
  void aVersionIsForSitesByNameOrByLabels() throws Exception {
    JobVersion version = admin.deploy("fleet", job("one", null, Map.of("zone", "cold")));
    assertThat(version.state()).isEqualTo("checking");
    assertThat(version.selection()).isEqualTo("zone=cold");
    assertThat(version.waves()).containsExactly("1", "rest");
    assertThat(version.sites())
        .extracting(JobVersion.AtSite::site)
        .containsExactly("north", "south");
    assertThat(admin.jobs()).singleElement().satisfies(job -> assertThat(job.script()).isNull());
    assertThat(admin.job("fleet").script()).isEqualTo("one");
    JobVersion other = admin.deploy("other", job("two", List.of("east"), null));
    assertThat(other.sites()).extracting(JobVersion.AtSite::site).containsExactly("east");
    assertThat(center.store().audit().latest(5))
        .anyMatch(entry -> entry.toString().contains("job deploy"));
  }

  /** Who may take back commands may not take back what an engineer has a site do. */
  @Test
  void anOrderOfAJobIsNoCommand() throws Exception {
    GivenOrder order =
        center
            .store()
            .orders()
            .give(
                "north",
                new JobOrder(JobOrder.Action.DEPLOY, "fleet", 1, "one"),
                "anna",
                Optional.empty());
    String path = "/sites/north/commands/" + order.id();
    String operator = center.token(Role.OPERATOR);
    assertThat(asking.get(operator, path).statusCode()).isEqualTo(404);
    assertThat(asking.ask(operator, "POST", path + "/cancel", "").statusCode()).isEqualTo(404);
    assertThat(center.store().orders().find("north", order.id()).orElseThrow().state())
        .isEqualTo(OrderState.QUEUED);
  }

  @Test
  void whatIsWrongIsSaidAndNothingIsKept() throws Exception {
    assertThat(admin.checkScript("fleet", "wrong"))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(3);
              assertThat(problem.column()).isEqualTo(7);
            });
    assertThatThrownBy(() -> admin.deploy("fleet", job("wrong", List.of("north"), null)))
        .hasMessageContaining("line 3:7: there is no table 'wrong'");
    assertThatThrownBy(() -> admin.deploy("fleet", job("one", List.of("nort"), null)))
        .hasMessageContaining("no site that may report is called 'nort'");
    assertThatThrownBy(() -> admin.deploy("fleet", job("one", null, Map.of("zone", "hot"))))
        .hasMessageContaining("no site has the labels zone=hot");
    assertThatThrownBy(() -> admin.deploy("fleet", job("one", null, null)))
        .hasMessageContaining("say which sites");
    assertThatThrownBy(() -> admin.deploy("a b", job("one", List.of("north"), null)))
        .hasMessageContaining("letters, digits");
    Requests.ForJob waves =
        new Requests.ForJob("one", List.of("north"), null, List.of("rest", "2"), null, null, null);
    assertThatThrownBy(() -> admin.deploy("fleet", waves))
        .hasMessageContaining("wave 'rest': write how many sites");
    assertThat(admin.jobs()).isEmpty();
    assertThatThrownBy(() -> admin.job("fleet")).hasMessageContaining("no job 'fleet'");
  }

  @Test
  void aViewerLooksAndAnEngineerGives() throws Exception {
    admin.deploy("fleet", job("one", List.of("north"), null));
    String viewer = center.token(Role.VIEWER);
    assertThat(asking.get(viewer, "/jobs/fleet").statusCode()).isEqualTo(200);
    assertThat(asking.ask(viewer, "POST", "/jobs/fleet/rollback", "").statusCode()).isEqualTo(403);
    assertThat(asking.ask(viewer, "DELETE", "/jobs/fleet", "").statusCode()).isEqualTo(403);
    String engineer = center.token(Role.ENGINEER);
    assertThat(
            asking
                .ask(
                    engineer,
                    "POST",
                    "/jobs/fleet/versions",
                    "{\"script\":\"b\",\"sites\":[\"north\"]}")
                .statusCode())
        .isEqualTo(409);
    assertThat(asking.ask(engineer, "POST", "/jobs/fleet/rollback", "").statusCode())
        .isEqualTo(200);
    assertThat(asking.ask(engineer, "POST", "/jobs/nothing/rollback", "").statusCode())
        .isEqualTo(404);
    assertThat(asking.ask(engineer, "DELETE", "/jobs/nothing", "").statusCode()).isEqualTo(404);
  }

  @Test
  void scriptsAreComparedByLines() {
    assertThat(ScriptDiff.of("a\nb\nc\nd", "a\nx\nc\nd\ne"))
        .containsExactly(
            new DiffLine("same", "a"),
            new DiffLine("removed", "b"),
            new DiffLine("added", "x"),
            new DiffLine("same", "c"),
            new DiffLine("same", "d"),
            new DiffLine("added", "e"));
    assertThat(ScriptDiff.of("a", "a")).containsExactly(new DiffLine("same", "a"));
    String many =
        IntStream.range(0, 3_000).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
    assertThat(ScriptDiff.of(many, "new")).hasSize(3_001);
  }
}
