package io.sedge.connector.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kernel texts in the forms of proc(5) and of the kernel's own documentation. */
final class LinuxProbesTest {
  @TempDir private Path root;
  private Path proc;
  private Path sys;

  @BeforeEach
  void makeRoots() throws IOException {
    proc = Files.createDirectories(root.resolve("proc/net")).getParent();
    sys = Files.createDirectories(root.resolve("sys/class/hwmon")).getParent().getParent();
  }

  private static void write(Path file, String... lines) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, String.join("\n", lines) + "\n");
  }

  /** Opens the probes, reads them once and gives raw numbers (and shares as part/whole) by name. */
  private Map<String, String> readAll() throws IOException {
    Map<String, String> all = new TreeMap<>();
    for (Probe probe : LinuxProbes.open(proc, sys)) {
      List<Quantity> quantities = probe.quantities();
      double[] raw = new double[quantities.size()];
      double[] whole = new double[quantities.size()];
      probe.read(raw, whole);
      for (int i = 0; i < raw.length; i++) {
        Quantity quantity = quantities.get(i);
        String share = quantity.measure() == Measure.SHARE ? "/" + (long) whole[i] : "";
        all.put(quantity.name(), (raw[i] * quantity.scale()) + share + " " + quantity.unit());
      }
      probe.close();
    }
    return all;
  }

  @Test
  void processorTimeIsBusyButForIdleAndWaiting() throws IOException {
    write(
        proc.resolve("stat"),
        "cpu  70 10 15 800 50 2 3 50 30 0",
        "cpu0 40 5 10 400 25 1 1 18 15 0",
        "intr 933712 0 0 5",
        "ctxt 2533964",
        "btime 1795216997");
    assertThat(readAll())
        .containsEntry("cpu.load", "15000.0/1000 %")
        .containsEntry("cpu.load.0", "7500.0/500 %")
        .containsEntry("interrupts", "933712.0 1/s")
        .containsEntry("context.switches", "2533964.0 1/s")
        .hasSize(4);
  }

  @Test
  void memoryInUseIsWhatIsNotAvailableAndSwapIsThereOnlyIfThereIsSome() throws IOException {
    write(
        proc.resolve("meminfo"),
        "MemTotal:       1000 kB",
        "MemFree:         100 kB",
        "MemAvailable:    400 kB",
        "SwapTotal:         0 kB",
        "SwapFree:          0 kB");
    assertThat(readAll())
        .containsOnly(
            Map.entry("memory.used", "614400.0 By"), Map.entry("memory.available", "409600.0 By"));
    write(proc.resolve("meminfo"), "MemTotal: 1 kB", "SwapTotal: 10 kB", "SwapFree: 8 kB");
    assertThat(readAll()).containsEntry("swap.used", "2048.0 By");
  }

  @Test
  void theLoadLineGivesAveragesAndThreads() throws IOException {
    write(proc.resolve("loadavg"), "1.14 1.41 1.10 5/143 1222");
    assertThat(readAll())
        .containsEntry("load.1m", "1.14 1")
        .containsEntry("load.15m", "1.1 1")
        .containsEntry("thread.running", "5.0 1")
        .containsEntry("thread.count", "143.0 1");
  }

  @Test
  void wholeDisksAreReadAndTheirPartitionsAreNot() throws IOException {
    write(
        proc.resolve("diskstats"),
        "   7       0 loop0 9 9 9 9 9 9 9 9 9 9 9",
        " 259       0 nvme0n1 10 1 20 5 30 2 40 6 0 700 11 0 0 0 0 0 0",
        " 259       1 nvme0n1p1 9 9 9 9 9 9 9 9 9 9 9 0 0 0 0 0 0");
    Files.createDirectories(sys.resolve("block/nvme0n1/device"));
    Files.createDirectories(sys.resolve("block/loop0"));
    assertThat(readAll())
        .containsOnly(
            Map.entry("disk.nvme0n1.reads", "10.0 1/s"),
            Map.entry("disk.nvme0n1.read", "10240.0 By/s"),
            Map.entry("disk.nvme0n1.writes", "30.0 1/s"),
            Map.entry("disk.nvme0n1.written", "20480.0 By/s"),
            Map.entry("disk.nvme0n1.busy", "70.0 %"));
  }

  @Test
  void interfacesInUseAreReadAndTheLoopbackIsNot() throws IOException {
    write(
        proc.resolve("net/dev"),
        "Inter-|   Receive                            |  Transmit",
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs",
        "    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0",
        "  eth0:1000 9 2 0 0 0 0 0 500 4 3 0 0 0 0 0",
        "  ifb0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
    assertThat(readAll())
        .containsOnly(
            Map.entry("net.eth0.received", "1000.0 By/s"),
            Map.entry("net.eth0.received.errors", "2.0 1/s"),
            Map.entry("net.eth0.sent", "500.0 By/s"),
            Map.entry("net.eth0.sent.errors", "3.0 1/s"));
  }

  @Test
  void hardwareMonitorsGiveWhatTheyHaveUnderTheirLabels() throws IOException {
    Path chip = sys.resolve("class/hwmon/hwmon0");
    write(chip.resolve("name"), "coretemp");
    write(chip.resolve("temp1_input"), "45500");
    write(chip.resolve("temp1_label"), "Package id 0");
    write(chip.resolve("temp2_input"), "-3000");
    write(chip.resolve("temp2_crit"), "100000");
    write(chip.resolve("fan1_input"), "1200");
    write(chip.resolve("in0_input"), "3300");
    write(sys.resolve("class/hwmon/hwmon1/name"), "coretemp");
    write(sys.resolve("class/hwmon/hwmon1/temp2_input"), "51000");
    assertThat(readAll())
        .containsOnly(
            Map.entry("temperature.coretemp.package-id-0", "45.5 Cel"),
            Map.entry("temperature.coretemp.2", "-3.0 Cel"),
            Map.entry("temperature.coretemp.2-2", "51.0 Cel"),
            Map.entry("fan.coretemp.1", "1200.0 1/min"),
            Map.entry("voltage.coretemp.0", "3.3 V"));
  }

  @Test
  void aMachineWithoutSensorsHasNone() throws IOException {
    assertThat(readAll()).isEmpty();
  }

  @Test
  void aDeviceThatGoesAwayIsNotReadAndASensorInErrorIsNotEither() throws IOException {
    String header = "a\nb\n";
    Path net = proc.resolve("net/dev");
    Files.writeString(net, header + "  eth0: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n");
    Path chip = sys.resolve("class/hwmon/hwmon0");
    write(chip.resolve("temp1_input"), "45500");
    List<Probe> probes = LinuxProbes.open(proc, sys);
    Files.writeString(net, header);
    Files.writeString(chip.resolve("temp1_input"), "");
    for (Probe probe : probes) {
      double[] raw = new double[probe.quantities().size()];
      probe.read(raw, raw.clone());
      assertThat(raw).isNotEmpty().containsOnly(Double.NaN);
      probe.close();
    }
  }

  // A machine with hundreds of processors has more lines than the first buffer holds.
  @Test
  void filesOfAnyUsualLengthAreRead() throws IOException {
    String[] lines = new String[600];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = "cpu%d 40 5 10 400 25 1 1 18 15 0".formatted(i);
    }
    write(proc.resolve("stat"), lines);
    assertThat(readAll()).hasSize(600).containsEntry("cpu.load.599", "7500.0/500 %");
  }

  @Test
  void whatOshiReadsOfThisMachineIsWhatTheFilesSay() throws IOException {
    Probe files = new LocalMachine().open().getFirst();
    assertThat(files.quantities()).extracting(Quantity::name).contains("cpu.load");
    double[] raw = new double[files.quantities().size()];
    double[] whole = new double[raw.length];
    files.read(raw, whole);
    Probe oshi = OshiProbe.counters(new oshi.SystemInfo().getHardware()).getFirst();
    double[] oshiRaw = new double[oshi.quantities().size()];
    double[] oshiWhole = new double[oshiRaw.length];
    oshi.read(oshiRaw, oshiWhole);
    assertThat(oshi.quantities().getFirst().name()).isEqualTo("cpu.load");
    // OSHI counts milliseconds, the kernel hundredths of a second.
    assertThat(oshiWhole[0] / (whole[0] * 10)).isCloseTo(1, within(0.02));
  }
}
