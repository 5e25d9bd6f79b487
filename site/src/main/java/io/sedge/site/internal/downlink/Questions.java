package io.sedge.site.internal.downlink;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Ledger;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLogReader;
import io.sedge.site.api.SiteLogReader.SiteLine;
import io.sedge.task.JobListener;
import io.sedge.uplink.Question;
import io.sedge.uplink.QuestionAnswer;
import io.sedge.uplink.SiteLog;
import java.util.List;
import java.util.Set;

/**
 * Answers what people at the center ask, if the site's owner lets them. Nothing is kept of that: a
 * question that is lost is asked again by who still wants to know. Any thread.
 */
public final class Questions {
  private final Ledger ledger;
  private final SiteLogReader.Logs logs;
  private final Bundles bundles;
  private final JobListener listener;

  /** Makes a zip file for whoever looks for a fault of a device; waits for that. */
  @FunctionalInterface
  public interface Bundles {
    byte[] make(String device) throws SiteException;
  }

  public Questions(
      Ledger ledger, SiteLogReader.Logs logs, Bundles bundles, JobListener listener) {
    this.ledger = ledger;
    this.logs = logs;
    this.bundles = bundles;
    this.listener = listener;
  }

  /** The answer, or why there is none; waits for other devices. */
  QuestionAnswer answer(Question question) {
    if (!ledger.read(state -> state.allows(CenterRight.DIAGNOSIS))) {
      return QuestionAnswer.refused(
          "the site lets no center read what its devices have said: its owner may type `sedge site"
              + " allow --diagnosis`");
    }
    listener.report(
        Severity.INFO,
        "%s at the center asks for the %s of %s"
            .formatted(
                question.askedBy(),
                question.kind(),
                question.device().isEmpty() ? "all devices" : "device " + question.device()));
    try {
      return switch (question.kind()) {
        case Question.LOG ->
            QuestionAnswer.of(log(question.device(), question.job()).bytes());
        case Question.BUNDLE -> QuestionAnswer.of(bundles.make(question.device()));
        default ->
            QuestionAnswer.refused(
                "this version of Sedge does not know questions of kind '%s': upgrade the site"
                    .formatted(question.kind()));
      };
    } catch (SiteException e) {
      return QuestionAnswer.refused(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      return QuestionAnswer.refused("a fault in Sedge: " + e);
    }
  }

  private SiteLog log(String device, String job) throws SiteException {
    SiteLogReader reader = new SiteLogReader(logs, job);
    List<SiteLine> lines = reader.read(device.isEmpty() ? Set.of() : Set.of(device));
    return SiteLog.latest(lines.stream().map(Questions::line).toList(), reader.missing());
  }

  private static SiteLog.Line line(SiteLine said) {
    LogLine line = said.line();
    return new SiteLog.Line(
        said.device(), line.atMillis(), line.severity().name(), line.task(), line.text());
  }
}
