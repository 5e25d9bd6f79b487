package io.sedge.site.api;

import io.sedge.task.FailureCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads what devices of a site have said, each from where it was read to before, in as many pages
 * as there are, and puts it in the order of time. One thread.
 */
public final class SiteLogReader {
  private final Logs logs;
  private final String job;

  /** How far each device was read. */
  private final Map<String, String> marks = new HashMap<>();

  private final Map<String, String> missing = new TreeMap<>();

  /** {@link SiteControl#siteLogs}. */
  @FunctionalInterface
  public interface Logs {
    List<DeviceLogs> read(String job, Set<String> devices, Map<String, String> marks)
        throws SiteException;
  }

  /** A line, and who has said it. */
  public record SiteLine(String device, LogLine line) {}

  /**
   * @param job see {@link SiteControl#logs}
   */
  public SiteLogReader(Logs logs, String job) {
    this.logs = logs;
    this.job = job;
  }

  /**
   * What is new.
   *
   * @param devices whose; empty for all
   * @return by time; lines of one device stay in their order, even where its clock was set back
   */
  public List<SiteLine> read(Set<String> devices) throws SiteException {
    Map<String, List<LogLine>> lines = new TreeMap<>();
    Set<String> asked = devices;
    do {
      Set<String> unfinished = new HashSet<>();
      for (DeviceLogs heard : ask(asked, !lines.isEmpty())) {
        note(heard);
        List<LogLine> read = lines.computeIfAbsent(heard.device(), _ -> new ArrayList<>());
        read.addAll(heard.page().lines());
        if (heard.page().more() && read.size() < SiteControl.MAX_LOG_LINES) {
          unfinished.add(heard.device());
        }
      }
      asked = unfinished;
    } while (!asked.isEmpty());
    return merged(lines);
  }

  /** The devices that were heard when they were last asked. */
  public Set<String> heard() {
    Set<String> heard = new HashSet<>(marks.keySet());
    heard.removeAll(missing.keySet());
    return heard;
  }

  /** The devices that could not be asked when they were last asked, each with the reason. */
  public Map<String, String> missing() {
    return Map.copyOf(missing);
  }

  /**
   * @param goingOn whether pages of these devices were read before; one that is no device any more
   *     has no further ones
   */
  private List<DeviceLogs> ask(Set<String> devices, boolean goingOn) throws SiteException {
    try {
      return logs.read(job, devices, marks);
    } catch (SiteException e) {
      if (goingOn && e.code() == FailureCode.UNKNOWN_NAME) {
        return List.of();
      }
      throw e;
    }
  }

  private void note(DeviceLogs heard) {
    if (heard.failure().isEmpty()) {
      missing.remove(heard.device());
      marks.put(heard.device(), heard.page().mark());
    } else {
      missing.put(heard.device(), heard.failure());
    }
  }

  /** By time; lines of one device stay in their order, even where its clock was set back. */
  public static List<SiteLine> merged(Map<String, List<LogLine>> lines) {
    record Timed(long atMillis, SiteLine line) {}
    List<Timed> all = new ArrayList<>();
    lines.forEach(
        (device, said) -> {
          long latest = Long.MIN_VALUE;
          for (LogLine line : said) {
            latest = Math.max(latest, line.atMillis());
            all.add(new Timed(latest, new SiteLine(device, line)));
          }
        });
    all.sort(Comparator.comparingLong(Timed::atMillis));
    return all.stream().map(Timed::line).toList();
  }
}
