package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.PlantClient;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three devices learn from what they have kept of the plant: {@code examples/learn.sql} as README
 * has it, and a training in which devices are killed.
 */
@Timeout(900)
final class LearningTest {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int KILLS = Integer.getInteger("sedge.kills", 2);

  /** The training, which takes longer, is in another phase each time. */
  private static final long LATEST_KILL_NANOS = 2_000_000_000;

  private static final long SEED = Long.getLong("sedge.seed", System.nanoTime());

  private static final Pattern VERSION = Pattern.compile("\"version\":(\\d+)");
  private static final Pattern VALUE = Pattern.compile("\"value\": ?([0-9.]+)");
  private static final Pattern SHOWN = Pattern.compile(", version (\\d+): ");
  private static final Pattern HELD_OUT = Pattern.compile("held out +[a-zA-Z]");
  private static final Pattern UP = Pattern.compile("(?m)^[abc] +up\\b");

  /** A network that takes its time: it has a share of a processor, and many epochs. */
  private static final String CURVE =
      """
      CREATE TABLE readings (
        zone STRING, machine STRING, quantity STRING, ts BIGINT, `value` DOUBLE,
        event_time AS TO_TIMESTAMP_LTZ(ts, 3),
        WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
      ) WITH (
        'connector' = 'mqtt', 'url' = '${BROKER}', 'topic' = 'plant/{zone}/{machine}/{quantity}',
        'format' = 'json', 'scan.watermark.max-ahead' = '0', 'keep' = '1 h', 'shard.by' = 'machine',
        'shard.values' = 'pump-1;filter-1;tank-1;pump-2;valve-1;heater-1;tank-2;valve-2');
      CREATE TABLE kept (
        ts BIGINT, `value` DOUBLE,
        event_time AS TO_TIMESTAMP_LTZ(ts, 3),
        WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
      ) WITH ('connector' = 'history', 'table' = 'readings', 'job' = 'curve');
      CREATE MODEL curve INPUT (x DOUBLE) OUTPUT (y DOUBLE)
      WITH ('provider' = 'site', 'algorithm' = 'mlp', 'label' = 'target', 'hidden' = '16', 'train.epochs' = '60',
            'train.share' = '0.2', 'train.promote' = 'by-hand')
      AS SELECT event_time, x, SIN(x) AS target
      FROM (SELECT event_time, `value` - 6 * FLOOR(`value` / 6) AS x FROM kept);
      CREATE VIEW points AS SELECT machine, `value` - 6 * FLOOR(`value` / 6) AS x FROM readings;
      CREATE TABLE scored (machine STRING, x DOUBLE, y DOUBLE) WITH ('connector' = 'blackhole');
      INSERT INTO scored
      SELECT machine, x, y FROM ML_PREDICT(TABLE points, MODEL curve, DESCRIPTOR(x));
      """;

  @TempDir private Path directory;
  private Sedge sedge;
  private SiteProcesses site;
  private final Map<String, SedgeProcess> devices = new HashMap<>();
  private final Random random = new Random(SEED);
  private SedgeProcess broker;
  private String url = "";

  @BeforeEach
  void begin() {
    sedge = Sedge.in(directory);
    site = new SiteProcesses(sedge, SiteNetwork.loopback());
    broker = sedge.start("broker", "--port", "0");
    String line = broker.awaitMessage("the broker listens on mqtt://");
    url = line.substring(line.indexOf("mqtt://"));
    for (String name : NAMES) {
      String[] how = name.equals("a") ? new String[] {"start"} : site.joining("a");
      SedgeProcess device = site.device(name, SiteProcesses.freePorts(), how);
      devices.put(name, device);
      SiteProcesses.awaitUp(device);
    }
  }

  @AfterEach
  void end() {
    devices.values().forEach(SedgeProcess::close);
    if (broker != null) { // else the test was skipped before
      broker.close();
    }
  }

  private SedgeProcess device(String name) {
    SedgeProcess device = devices.get(name);
    if (device == null) {
      throw new IllegalArgumentException(name);
    }
    return device;
  }

  private SedgeProcess plant(String speed) {
    return sedge.start("simulate", "plant", "--broker", url, "--speed", speed);
  }

  /**
   * Trains, again and again, until there are rows enough to judge a version by; what {@code model
   * show} says of it.
   *
   * @param witness a device that runs, and is asked
   */
  private String trained(String model, String witness) {
    StringBuilder said = new StringBuilder();
    device("a")
        .until(
            () -> {
              said.setLength(0);
              try (SedgeProcess train = train(model, "a")) {
                said.append(train.exitCode() == 0 ? show(model, version(train), witness) : train);
              }
              return HELD_OUT.matcher(said).find();
            },
            () -> "a version of %s that is judged: %s".formatted(model, said));
    return said.toString();
  }

  private SedgeProcess train(String model, String device) {
    return sedge.start("model", "train", model, "--data", device, "--output", "json");
  }

  private static long version(SedgeProcess train) {
    return Long.parseLong(found(VERSION, String.join("\n", train.out())));
  }

  private String show(String model, long version, String device) {
    return site.answer(
        "model", "show", model, "--version", Long.toString(version), "--data", device);
  }

  private static String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }

  /** From history to a command that the plant obeys: the pump slows before its bearing is hot. */
  @Test
  void aPumpIsSlowedByAModelThatItsSiteHasTrained() throws Exception {
    String script = Sedge.project().resolve("examples/learn.sql").toString();
    try (SedgeProcess plant = plant("60"); // A minute of the plant is a second.
        PlantClient client =
            PlantClient.at(url, "plant/process/pump-2/set/speed", "plant/process/pump-2/speed")) {
      site.answer("job", "submit", script, "--data", "a", "--var", "BROKER=" + url);
      long number = number(trained("bearing", "b"));
      site.answer("model", "promote", "bearing", "--version", "" + number, "--data", "c");
      assertThat(show("bearing", number, "a"))
          .contains("version %d: pca, live".formatted(number))
          .doesNotContain("without ");

      client.breakDown("bearing-wear");
      client.await("plant/process/pump-2/set/speed", text -> text.contains("1800"));
      client.await(
          "plant/process/pump-2/speed", text -> Double.parseDouble(found(VALUE, text)) < 1_810);
      plant.interrupt();
      assertThat(plant.exitCode()).as(plant::toString).isZero();
    }
  }

  /**
   * Whoever is killed: the version is the one that the devices that are left train alone, bit for
   * bit; and with all devices back it is the one of before, as their rows are.
   */
  @Test
  @Tag("long")
  void aTrainingGoesOnWithoutADeviceThatIsKilled() {
    System.out.println("seed " + SEED);
    sedge.script("curve.sql", CURVE);
    try (SedgeProcess plant = plant("5")) {
      site.answer("job", "submit", "curve.sql", "--data", "a", "--var", "BROKER=" + url);
      trained("curve", "c");
      plant.interrupt();
      assertThat(plant.exitCode()).as(plant::toString).isZero();
    }
    String whole = whole();
    List<String> others = new ArrayList<>(List.of("b", "c"));
    others.sort(Comparator.comparingInt(name -> rows(whole, name)));
    for (int i = 0; i < KILLS; i++) {
      killedAmidTraining(others.getLast(), others.getFirst(), whole);
      Collections.rotate(others, rows(whole, others.getFirst()) > 0 ? 1 : 0);
    }

    try (SedgeProcess train = train("curve", "a")) {
      awaitRows(train, others.getLast());
      device("a").kill();
      assertThat(train.exitCode()).as(train::toString).isNotZero();
    }
    again("a");
    device("c")
        .until(
            () -> number(trained("curve", "c")) == number(whole),
            () -> "the version of before: " + site.answer("model", "show", "curve", "--data", "c"));
  }

  private void killedAmidTraining(String victim, String witness, String whole) {
    try (SedgeProcess train = train("curve", "a")) {
      awaitRows(train, victim);
      long phase = random.nextLong(LATEST_KILL_NANOS);
      LockSupport.parkNanos(phase);
      long gathered = rowsOf("a").lastModified();
      device(victim).kill();
      long at = System.nanoTime();
      train.until(
          () -> rowsOf("a").lastModified() > gathered && rowsOf("a").length() > 0,
          () -> "the training begins again without device " + victim);
      double goesOn = (System.nanoTime() - at) / 1e9;
      assertThat(train.exitCode()).as(train::toString).isZero();
      System.out.printf(
          Locale.ROOT,
          "device %s of %d rows killed %.1f s after it had gathered them: training goes on after"
              + " %.2f s, trained without it after %.1f s%n",
          victim,
          rows(whole, victim),
          phase / 1e9,
          goesOn,
          (System.nanoTime() - at) / 1e9);
      String without = show("curve", version(train), witness);
      assertThat(without)
          .contains("device %s was lost in round".formatted(victim))
          .contains("without %s: ".formatted(victim));
      assertThat(number(without)).isNotEqualTo(number(whole));
      String alone = trained("curve", witness); // Of those that are left, from the beginning.
      assertThat(number(without)).as("%s%nbeside %s", without, alone).isEqualTo(number(alone));
    }
    again(victim);
  }

  /** How many rows of a device a version was trained on. */
  private static int rows(String shown, String device) {
    String count = found(Pattern.compile("(?m)^" + device + " +([0-9,]+) "), shown);
    return Integer.parseInt(count.replace(",", ""));
  }

  /** What is said of the version of all rows: the plant is still, and the model the same again. */
  private String whole() {
    String before = trained("curve", "c");
    String now = trained("curve", "c");
    for (int i = 0; i < 10 && number(before) != number(now); i++) {
      before = now;
      now = trained("curve", "c");
    }
    assertThat(now).doesNotContain("without ").contains("version %d:".formatted(number(before)));
    return now;
  }

  /** Waits until a device has gathered rows, which it writes in one go if they are few. */
  private void awaitRows(SedgeProcess train, String name) {
    train.until(() -> rowsOf(name).length() > 0, () -> "device " + name + " takes part");
  }

  private File rowsOf(String device) {
    return directory.resolve(device).resolve("training").resolve("rows").toFile();
  }

  private void again(String name) {
    SedgeProcess device = site.again(name);
    devices.put(name, device);
    SiteProcesses.awaitUp(device);
    device.until( // Each device finds out for itself, and trains with those that it knows to be up.
        () -> UP.matcher(site.answer("site", "status", "--data", "a")).results().count() == 3,
        () -> "all are up: " + site.answer("site", "status", "--data", "a"));
  }

  private static long number(String shown) {
    return Long.parseLong(found(SHOWN, shown));
  }
}
