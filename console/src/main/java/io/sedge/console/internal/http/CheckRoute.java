package io.sedge.console.internal.http;

import io.sedge.console.ScriptCheck;
import io.sedge.console.internal.http.Refusal.Reason;
import io.sedge.sql.Job;
import io.sedge.sql.PlanGraph;
import io.sedge.sql.Remarks;
import io.sedge.sql.SqlException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Says whether a script is accepted. One is compiled at a time: it takes memory. Any thread. */
public final class CheckRoute {
  private static final long PATIENCE_SECONDS = 5;

  private final ScriptCheck check;
  private final Semaphore turn = new Semaphore(1, true);

  private record Request(@Nullable String script) {}

  private record Answer(List<ScriptProblem> problems, @Nullable Graph graph, List<String> notes) {}

  public CheckRoute(ScriptCheck check) {
    this.check = check;
  }

  /** {@code POST /check}. */
  public void answer(Call call) throws Refusal {
    String script = call.body(Request.class).script();
    if (script == null) {
      throw new Refusal(Reason.MALFORMED, "script is missing");
    }
    try {
      if (!turn.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new Refusal(Reason.BUSY, "other scripts are being checked: try again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(Reason.BUSY, "the console ends");
    }
    try {
      call.answer(check(script));
    } finally {
      turn.release();
    }
  }

  private Answer check(String script) {
    try {
      Job job = check.compile(script);
      List<String> notes = new ArrayList<>(job.notes());
      notes.addAll(Remarks.of(job));
      return new Answer(List.of(), Graph.of(PlanGraph.of(job)), notes);
    } catch (SqlException e) {
      return new Answer(ScriptProblem.of(e.problems()), null, List.of());
    } catch (StackOverflowError e) {
      return new Answer(
          List.of(ScriptProblem.ofWhole("the script is nested too deeply")), null, List.of());
    }
  }
}
