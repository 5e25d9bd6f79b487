package io.sedge.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sedge.engine.testkit.SharedData;
import io.sedge.learning.internal.Detector;
import io.sedge.learning.internal.DetectorKind;
import io.sedge.learning.internal.DetectorKinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Numenta's benchmark, standard profile, over those of its series that are at hand: the figures of
 * docs/learning.md. Lavin, Ahmad, "Evaluating Real-Time Anomaly Detection Algorithms", ICMLA 2015.
 */
class NabTest {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final Pattern QUOTED_TIME = Pattern.compile("\"(\\d{4}-\\d\\d-\\d\\d [\\d:]{8})");
  private static final double FALSE_ALARM = 0.11;

  /** A series and the windows, first and last row, in which something is wrong. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares two.
  private record Series(long[] times, double[] values, List<int[]> windows) {}

  private static long micros(String time) {
    return LocalDateTime.parse(time, TIME).toEpochSecond(ZoneOffset.UTC) * 1_000_000;
  }

  private static List<Series> corpus() throws IOException {
    Path nab = SharedData.path("nab");
    String labels = Files.readString(nab.resolve("combined_windows.json"));
    List<Series> corpus = new ArrayList<>();
    Path data = nab.resolve("data");
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".csv")).sorted().toList()) {
        List<String[]> rows =
            Files.readAllLines(file).stream().skip(1).map(line -> line.split(",", -1)).toList();
        long[] times = rows.stream().mapToLong(row -> micros(row[0])).toArray();
        double[] values = rows.stream().mapToDouble(row -> Double.parseDouble(row[1])).toArray();
        int at = labels.indexOf("\"%s\"".formatted(data.relativize(file)));
        int end = labels.indexOf('"', labels.indexOf(':', at));
        int next = labels.indexOf(".csv", labels.indexOf(".csv", at) + 1);
        corpus.add(
            new Series(
                times,
                values,
                windows(labels.substring(end, next < 0 ? labels.length() : next), times)));
      }
    }
    return corpus;
  }

  private static List<int[]> windows(String text, long[] times) {
    List<Long> bounds = new ArrayList<>();
    Matcher matcher = QUOTED_TIME.matcher(text);
    while (matcher.find()) {
      bounds.add(micros(matcher.group(1)));
    }
    List<int[]> windows = new ArrayList<>();
    for (int i = 0; i + 1 < bounds.size(); i += 2) {
      int first = -1;
      int last = -1;
      for (int row = 0; row < times.length; row++) {
        if (times[row] >= bounds.get(i) && times[row] <= bounds.get(i + 1)) {
          first = first < 0 ? row : first;
          last = row;
        }
      }
      if (first >= 0) {
        windows.add(new int[] {first, last});
      }
    }
    return windows;
  }

  private static double[] scores(DetectorKind kind, Series series) {
    Detector detector = kind.detector(List.of()).get();
    double[] scores = new double[series.values().length];
    for (int i = 0; i < scores.length; i++) {
      double score = detector.score(new double[] {series.values()[i]}, series.times()[i]);
      scores[i] = Double.isNaN(score) ? -1 : score;
    }
    return scores;
  }

  private static double sigma(double y) {
    return 2 / (1 + Math.exp(5 * y)) - 1;
  }

  /** What the alarms of one series are worth. */
  private static double worth(Series series, double[] scores, double threshold) {
    int probation = (int) Math.min(Math.floor(0.15 * scores.length), 750);
    boolean[] inside = new boolean[scores.length];
    double worth = 0;
    for (int[] window : series.windows()) {
      double found = -1;
      for (int i = window[0]; i <= window[1]; i++) {
        inside[i] = true;
        if (found < 0 && i >= probation && scores[i] >= threshold) {
          double length = window[1] - window[0] + 1;
          found = sigma(-(window[1] - i + 1) / length) / sigma(-1);
        }
      }
      worth += found;
    }
    for (int i = probation; i < scores.length; i++) {
      if (!inside[i] && scores[i] >= threshold) {
        worth += FALSE_ALARM * ofFalseAlarm(series, i);
      }
    }
    return worth;
  }

  private static double ofFalseAlarm(Series series, int row) {
    double worth = -1;
    for (int[] window : series.windows()) {
      if (window[1] < row) {
        worth = sigma((double) (row - window[1]) / Math.max(1, window[1] - window[0]));
      }
    }
    return worth;
  }

  /** With the one threshold for all series that suits best, as the benchmark takes it. */
  private static double best(List<Series> corpus, List<double[]> scores) {
    double[] all = scores.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
    TreeSet<Double> thresholds = new TreeSet<>();
    for (int i = all.length - 3_000; i < all.length; i++) {
      thresholds.add(all[i]);
    }
    int windows = corpus.stream().mapToInt(series -> series.windows().size()).sum();
    double best = 0;
    for (double threshold : thresholds) {
      double worth = 0;
      for (int i = 0; i < scores.size(); i++) {
        worth += worth(corpus.get(i), scores.get(i), threshold);
      }
      best = Math.max(best, 100 * (worth + windows) / (2.0 * windows));
    }
    return best;
  }

  @ParameterizedTest
  @CsvSource({
    "ANOMALY_SCORE, 35.4",
    "EWMA_SCORE, 30.4",
    "CUSUM_SCORE, 35.2",
    "PAGE_HINKLEY_SCORE, 25.2",
    "SEASONAL_SCORE, 26.6"
  })
  void theFiguresOfTheDocumentationHold(String name, double figure) throws IOException {
    List<Series> corpus = corpus();
    assertThat(corpus).hasSize(24);
    DetectorKind kind =
        DetectorKinds.ALL.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    double score = best(corpus, corpus.stream().map(series -> scores(kind, series)).toList());
    assertThat(score).isCloseTo(figure, within(0.1));
  }
}
