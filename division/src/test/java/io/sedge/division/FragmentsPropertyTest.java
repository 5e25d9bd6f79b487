package io.sedge.division;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Division;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Part;
import io.sedge.division.SimulatedTask.Channel;
import io.sedge.learning.ModelProviders;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random jobs give the same rows whether they run whole or cut into fragments that take turns at
 * random, commit at random and die at random.
 */
class FragmentsPropertyTest {
  private static final int MACHINE = 1;
  private static final int ZONE = 0;
  private static final long START_MICROS = 1_704_067_200_000_000L;
  private static final int MAX_TURNS = 2_000_000;

  @Test
  void aJobThatIsCutGivesTheRowsOfTheWhole() {
    run(300);
  }

  @Test
  @Tag("long")
  void manyJobsThatAreCutGiveTheRowsOfTheWhole() {
    run(5_000);
  }

  private static void run(int scripts) {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Tally tally = new Tally();
    for (int i = 0; i < scripts; i++) {
      new Trial(seed + i, tally).run();
    }
    System.out.println(tally);
    assertThat(tally.rows).as("rows that were compared").isGreaterThan(scripts);
    assertThat(tally.exchanged).as("rows that went through an exchange").isGreaterThan(scripts);
    assertThat(tally.parts).as("parts of inputs").isGreaterThan(scripts / 4);
    assertThat(tally.deaths).as("deaths of tasks").isGreaterThan(scripts / 10);
    assertThat(tally.refused).as("scripts that do not compile").isLessThan(scripts / 4 + 1);
  }

  /** What the trials were about, so that none of it is empty. */
  private static final class Tally {
    int refused;
    long rows;
    long exchanged;
    long deaths;
    long fragments;
    long parts;

    @Override
    public String toString() {
      return "%d fragments, %d of them parts, %d rows compared, %d exchanged, %d deaths, %d scripts refused"
          .formatted(fragments, parts, rows, exchanged, deaths, refused);
    }
  }

  private static final class Trial {
    private final long seed;
    private final Tally tally;
    private final Random random;
    private final int machines;
    private final boolean batch;
    private final Map<String, List<@Nullable Object[]>> inputs = new HashMap<>();

    Trial(long seed, Tally tally) {
      this.seed = seed;
      this.tally = tally;
      this.random = new Random(seed);
      this.machines = 2 + random.nextInt(4);
      this.batch = random.nextInt(3) == 0;
      inputs.put("readings", readings(40 + random.nextInt(120)));
      inputs.put("others", readings(20 + random.nextInt(60)));
      inputs.put("limits", limits());
    }

    /** Out of order, by less than the watermark allows, so that none is late in any run. */
    private List<@Nullable Object[]> readings(int count) {
      List<Integer> numbers = new ArrayList<>(IntStream.range(0, count).boxed().toList());
      Collections.shuffle(numbers, random);
      List<@Nullable Object[]> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        long millis = i * 200L + random.nextInt(9) * 200L;
        rows.add(
            new @Nullable Object[] {
              "z" + random.nextInt(2),
              "m" + random.nextInt(machines),
              "q" + random.nextInt(2),
              (long) numbers.get(i),
              random.nextInt(5) == 0 ? null : (double) random.nextInt(100),
              START_MICROS + millis * 1000 + i * 1000L
            });
      }
      return rows;
    }

    private List<@Nullable Object[]> limits() {
      List<@Nullable Object[]> rows = new ArrayList<>();
      for (int machine = 0; machine < machines; machine++) {
        if (random.nextInt(4) > 0) {
          rows.add(new @Nullable Object[] {"m" + machine, (long) random.nextInt(60)});
        }
      }
      return rows;
    }

    private Division division() {
      return switch (random.nextInt(batch ? 8 : 4)) {
        case 0 -> Division.WHOLE;
        case 4, 5, 6, 7 -> Division.BY_PART;
        case 1 -> Division.BY_DEVICE;
        default ->
            new Division.ByKey(
                MACHINE, IntStream.range(0, machines).mapToObj(i -> "m" + i).toList());
      };
    }

    void run() {
      String script = new RandomScripts(random).script();
      if (batch) {
        script = "SET 'execution.runtime-mode' = 'batch';\n" + RandomScripts.ending(script);
      }
      compare(script);
    }

    private void compare(String script) {
      Job job;
      try {
        job = compile(script);
      } catch (SqlException e) {
        tally.refused++;
        return;
      }
      Map<String, Results> whole = results(job);
      finish(
          List.of(new SimulatedTask(Fragment.whole("all", job), random, inputs, Map.of(), whole)));
      Map<String, Division> divisions = new TreeMap<>();
      divisions.put("readings", division());
      divisions.put(
          "others",
          random.nextInt(4) == 0 ? new Division.ByKey(ZONE, List.of("z0", "z1")) : division());
      List<String> devices = List.of("a", "b", "c").subList(0, 1 + random.nextInt(3));
      Map<String, Results> cut = results(job);
      Map<String, List<Part>> parts = parts();
      Map<String, Map<String, String>> labels = new TreeMap<>();
      devices.forEach(device -> labels.put(device, Map.of()));
      List<Fragment> fragments = Fragments.of(job, divisions, labels, parts);
      tally.parts += fragments.stream().filter(fragment -> fragment.part().isPresent()).count();
      runCut(fragments, divisions, devices, cut);
      whole.forEach(
          (table, expected) -> {
            assertThat(cut.get(table).rows())
                .as("seed %d, %s of %n%s%ndivided %s", seed, table, script, divisions)
                .isEqualTo(expected.rows());
            tally.rows += expected.added();
          });
    }

    /** Ranges of the rows, some of them empty. */
    private Map<String, List<Part>> parts() {
      Map<String, List<Part>> parts = new TreeMap<>();
      for (String table : List.of("readings", "others")) {
        int rows = inputs.get(table).size();
        int from = 0;
        List<Part> of = new ArrayList<>();
        while (from < rows || of.isEmpty()) {
          int to = Math.min(rows, from + random.nextInt(40));
          of.add(new Part("p" + of.size(), from + "-" + to, to - from));
          from = to;
        }
        parts.put(table, of);
      }
      return parts;
    }

    private static Map<String, Results> results(Job job) {
      Map<String, Results> results = new TreeMap<>();
      job.sinks().keySet().forEach(table -> results.put(table, new Results()));
      return results;
    }

    private void runCut(
        List<Fragment> fragments,
        Map<String, Division> divisions,
        List<String> devices,
        Map<String, Results> results) {
      Map<String, Channel> channels = new TreeMap<>();
      for (Fragment fragment : fragments) {
        fragment
            .job()
            .sinks()
            .forEach(
                (name, sink) -> {
                  if (sink.connector().equals(Fragments.EXCHANGE)) {
                    channels
                        .computeIfAbsent(name, _ -> new Channel(sink.table().schema()))
                        .addProducer(fragment.name());
                  }
                });
      }
      List<SimulatedTask> tasks = new ArrayList<>();
      for (Fragment fragment : fragments) {
        Map<String, List<@Nullable Object[]>> read = new HashMap<>(inputs);
        fragment
            .dividedTable()
            .ifPresent(
                table ->
                    read.put(
                        table,
                        shard(
                            inputs.get(table),
                            divisions.get(table),
                            fragment.shard().orElseThrow(),
                            devices)));
        tasks.add(new SimulatedTask(fragment, random, read, channels, results));
      }
      finish(tasks);
      tally.fragments += fragments.size();
      tally.exchanged += channels.values().stream().mapToLong(Channel::rows).sum();
    }

    private static List<@Nullable Object[]> shard(
        List<@Nullable Object[]> rows, Division division, String shard, List<String> devices) {
      return switch (division) {
        case Division.Whole _, Division.Undiscovered _ ->
            throw new AssertionError("a shard of what is not divided");
        case Division.ByPart _ -> {
          int dash = shard.indexOf('-');
          yield rows.subList(
              Integer.parseInt(shard.substring(0, dash)),
              Integer.parseInt(shard.substring(dash + 1)));
        }
        case Division.ByKey(int column, List<String> _) ->
            rows.stream().filter(row -> shard.equals(row[column])).toList();
        case Division.ByDevice _ ->
            IntStream.range(0, rows.size())
                .filter(i -> i % devices.size() == devices.indexOf(shard))
                .mapToObj(rows::get)
                .toList();
      };
    }

    private void finish(List<SimulatedTask> tasks) {
      for (int turn = 0; !tasks.stream().allMatch(SimulatedTask::isDone); turn++) {
        assertThat(turn).as("seed %d: turns", seed).isLessThan(MAX_TURNS);
        tasks.get(random.nextInt(tasks.size())).step();
      }
      tally.deaths += tasks.stream().mapToInt(SimulatedTask::deaths).sum();
    }

    private static Job compile(String script) throws SqlException {
      return new SqlCompiler(
              RowsConnector.all(),
              Map.of(),
              ModelProviders.of(new SameProvider()),
              InstantSource.fixed(Instant.EPOCH),
              FileAccess.EVERYTHING)
          .compile("test.sql", script, Path.of("."), Map.of("table.local-time-zone", "UTC"));
    }
  }
}
