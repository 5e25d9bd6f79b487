package io.sedge.site.internal.operation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.sedge.ledger.Job;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.TaskId;
import io.sedge.site.api.Diagnosis;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;

/** Gathers what a device knows of itself. Any thread; takes some tenths of a second. */
public final class Diagnostics {
  /** Of one text. */
  static final int MAX_CHARACTERS = 512 << 10;

  /** Of all scripts. */
  static final int MAX_SCRIPT_CHARACTERS = 2 << 20;

  private static final int MAX_TASKS = 500;
  private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

  private final Probe probe;

  public Diagnostics(Probe probe) {
    this.probe = probe;
  }

  /** All of it. */
  public Diagnosis take() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("health.json", health());
    texts.put("metrics.txt", metrics());
    texts.put("measures.txt", measures());
    texts.put("placement.txt", placement());
    texts.put("machine.txt", machine());
    texts.put("threads.txt", command("threadPrint", "-l"));
    texts.put("heap.txt", command("gcClassHistogram", "-all"));
    texts.replaceAll((_, text) -> cut(text));
    return new Diagnosis(texts, scripts());
  }

  private static String cut(String text) {
    return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + "\n… cut\n";
  }

  private String health() {
    try {
      return new ObjectMapper()
          .writerWithDefaultPrettyPrinter()
          .writeValueAsString(new Health(probe).ready());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report that JSON cannot hold", e);
    }
  }

  private String metrics() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create()
          .write(bytes, new Metrics(probe).snapshots(), EscapingScheme.DEFAULT);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory", e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private String measures() {
    return probe
        .member()
        .read(
            state -> {
              StringBuilder text = new StringBuilder();
              state
                  .devices()
                  .forEach(
                      device ->
                          text.append(device.name())
                              .append(' ')
                              .append(device.state())
                              .append(' ')
                              .append(device.measures())
                              .append('\n'));
              return text.toString();
            });
  }

  private String placement() {
    List<TaskId> tasks =
        probe.member().read(state -> state.tasks().stream().map(task -> task.id()).toList());
    List<TaskId> shown = tasks.stream().limit(MAX_TASKS).toList();
    return String.join("\n", probe.node().why(shown).values()) + "\n";
  }

  /** The virtual machine as it was started, but for the class path's many jars. */
  private static String machine() {
    return "%s %s%n%s%n"
        .formatted(
            System.getProperty("java.vm.name"),
            System.getProperty("java.vm.version"),
            String.join("\n", ManagementFactory.getRuntimeMXBean().getInputArguments()));
  }

  private static String command(String name, String argument) {
    try {
      Object answer =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName(COMMANDS),
                  name,
                  new Object[] {new String[] {argument}},
                  new String[] {String[].class.getName()});
      return String.valueOf(answer);
    } catch (JMException e) {
      return "this virtual machine does not tell: " + e + "\n";
    }
  }

  private Map<String, String> scripts() {
    Map<String, String> scripts = new TreeMap<>();
    int characters = 0;
    for (Job job : probe.member().read(SiteState::jobs)) {
      characters += job.script().length();
      scripts.put(
          job.name(),
          characters <= MAX_SCRIPT_CHARACTERS ? job.script() : "-- left out: too long\n");
    }
    return scripts;
  }
}
