package io.sedge.console.internal.http;

import io.sedge.console.ScriptCheck;
import io.sedge.console.internal.http.Refusal.Reason;
import io.sedge.sql.Job;
import io.sedge.sql.PlanGraph;
import io.sedge.sql.Problem;
import io.sedge.sql.Remarks;
import io.sedge.sql.SqlException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Says whether a script is accepted. One is compiled at a time: it takes memory. Any thread. */
public final class CheckRoute {
  private static final long PATIENCE_SECONDS = 5;

  private final ScriptCheck check;
  private final Semaphore turn = new Semaphore(1, true);

  public CheckRoute(ScriptCheck check) {
    this.check = check;
  }

  /** {@code POST /check}. */
  public void answer(Call call) throws Refusal {
    String script = Call.required("script", call.texts().get("script"));
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

  private Json.Value check(String script) {
    try {
      Job job = check.compile(script);
      List<String> notes = new ArrayList<>(job.notes());
      notes.addAll(Remarks.of(job));
      Graph graph = new Graph(PlanGraph.of(job));
      return json -> {
        json.writeStartObject();
        ScriptProblems.write(json, List.of());
        json.writeFieldName("graph");
        graph.write(json);
        Json.texts(json, "notes", notes);
        json.writeEndObject();
      };
    } catch (SqlException e) {
      return refused(e.problems());
    } catch (StackOverflowError e) {
      return refused(
          List.of(new Problem(1, 1, "the script is nested too deeply", Optional.empty())));
    }
  }

  private static Json.Value refused(List<Problem> problems) {
    return json -> {
      json.writeStartObject();
      ScriptProblems.write(json, problems);
      Json.texts(json, "notes", List.of());
      json.writeEndObject();
    };
  }
}
