package io.sedge.tensor.training.command;

import io.sedge.tensor.training.TrainingListener;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Locale;

/**
 * Shows how a training goes, and writes it down: a line of JSON each second that something was
 * applied. In a terminal one line is written over and over; elsewhere there is one every other
 * second. Called by one thread at a time.
 */
final class ProgressReport implements TrainingListener {
  private static final long SECOND_NS = 1_000_000_000;

  private final PrintStream out;
  private final boolean isTerminal;
  private final Writer metrics;
  private final long target;
  private long beginNs;
  private final LossCurve curve = new LossCurve();
  private boolean hasLine;
  private long shownNs;
  private long markNs;
  private long stepsSinceMark;
  private long examplesSinceMark;
  private double lossesSinceMark;
  private double stepsPerSecond;
  private double examplesPerSecond;
  private double loss = Double.NaN;
  private long step;
  private long applied;
  private boolean isWriting = true;

  ProgressReport(PrintStream out, boolean isTerminal, Writer metrics, long target) {
    this.out = out;
    this.isTerminal = isTerminal;
    this.metrics = metrics;
    this.target = target;
  }

  @Override
  public void applied(long newStep, double newLoss, int examples) {
    long now = System.nanoTime();
    if (applied == 0) {
      beginNs = now;
      shownNs = now;
      markNs = now;
    }
    step = newStep;
    applied++;
    stepsSinceMark++;
    examplesSinceMark += examples;
    lossesSinceMark += newLoss;
    curve.add(newLoss);
    if (now - markNs >= SECOND_NS) {
      mark(now);
    }
    if (step >= target || now - shownNs >= (isTerminal ? SECOND_NS / 5 : 2 * SECOND_NS)) {
      shownNs = now;
      show(now);
    }
  }

  private void mark(long now) {
    double seconds = (now - markNs) / 1e9;
    stepsPerSecond = stepsSinceMark / seconds;
    examplesPerSecond = examplesSinceMark / seconds;
    loss = lossesSinceMark / stepsSinceMark;
    markNs = now;
    stepsSinceMark = 0;
    examplesSinceMark = 0;
    lossesSinceMark = 0;
    write(
        String.format(
            Locale.ROOT,
            "{\"seconds\": %.3f, \"step\": %d, \"loss\": %s, \"steps_per_second\": %.1f,"
                + " \"examples_per_second\": %.1f}%n",
            (now - beginNs) / 1e9,
            step,
            loss,
            stepsPerSecond,
            examplesPerSecond));
  }

  private void write(String line) {
    if (!isWriting) {
      return;
    }
    try {
      metrics.write(line);
      metrics.flush();
    } catch (IOException e) {
      isWriting = false;
      happened("metrics cannot be written any more: " + e.getMessage());
    }
  }

  private void show(long now) {
    if (stepsSinceMark > 0 && Double.isNaN(loss)) {
      double seconds = Math.max(1e-3, (now - markNs) / 1e9);
      print(
          stepsSinceMark / seconds, examplesSinceMark / seconds, lossesSinceMark / stepsSinceMark);
    } else {
      print(stepsPerSecond, examplesPerSecond, loss);
    }
  }

  private void print(double steps, double examples, double shownLoss) {
    long left = steps <= 0 ? 0 : (long) Math.ceil((target - step) / steps);
    String text =
        String.format(
            Locale.ROOT,
            "step %d of %d  %.0f steps/s  %.0f examples/s  loss %.5g  %s",
            step,
            target,
            steps,
            examples,
            shownLoss,
            step >= target ? "done" : "ETA " + left / 60 + ":" + "%02d".formatted(left % 60));
    if (isTerminal) {
      out.print("\r\u001b[K" + text);
      out.flush();
      hasLine = true;
    } else {
      out.println(text);
    }
  }

  @Override
  public void happened(String what) {
    endLine();
    out.println(what);
  }

  void endLine() {
    if (hasLine) {
      out.println();
      hasLine = false;
    }
  }

  /** Writes down what was not yet. */
  void finish() {
    if (stepsSinceMark > 0) {
      mark(System.nanoTime());
    }
    endLine();
    try {
      metrics.close();
    } catch (IOException e) {
      throw new UncheckedIOException("metrics cannot be written: " + e.getMessage(), e);
    }
  }

  LossCurve curve() {
    return curve;
  }

  double meanStepsPerSecond() {
    return applied / ((System.nanoTime() - beginNs) / 1e9);
  }
}
