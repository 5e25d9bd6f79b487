package io.sedge.connector.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.ToLongFunction;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HWDiskStore;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.hardware.Sensors;
import oshi.software.os.OperatingSystem;

/** Quantities that OSHI reads, on any system that it knows. */
final class OshiProbe implements Probe {
  /** What changes or answers slowly is read at this rate at most. */
  static final double SLOW_HZ = 1;

  /** Disks and interfaces cost OSHI a query each. */
  static final double DEVICE_HZ = 10;

  private final Runnable look;
  private final List<Quantity> quantities = new ArrayList<>();
  private final List<DoubleSupplier> raws = new ArrayList<>();
  private final List<DoubleSupplier> wholes = new ArrayList<>();

  /**
   * @param look brings up to date what the suppliers then give
   */
  private OshiProbe(Runnable look) {
    this.look = look;
  }

  private void add(Quantity quantity, DoubleSupplier raw) {
    add(quantity, raw, () -> 0);
  }

  private void add(Quantity quantity, DoubleSupplier raw, DoubleSupplier whole) {
    quantities.add(quantity);
    raws.add(raw);
    wholes.add(whole);
  }

  /** Processor temperature and voltage, fans and the number of processes; what there is of them. */
  static List<Probe> slow(HardwareAbstractionLayer hardware, OperatingSystem system) {
    OshiProbe processes = new OshiProbe(() -> {});
    processes.add(Quantity.gauge("process.count", "1").atMost(SLOW_HZ), system::getProcessCount);
    return List.of(processes, sensors(hardware.getSensors()));
  }

  /** OSHI gives 0, NaN or nothing for a sensor that it does not find. */
  private static Probe sensors(Sensors sensors) {
    OshiProbe probe = new OshiProbe(() -> {});
    if (sensors.getCpuTemperature() > 0) {
      probe.add(
          Quantity.gauge("temperature", "Cel").atMost(SLOW_HZ).of("cpu", "temperature.cpu"),
          sensors::getCpuTemperature);
    }
    if (sensors.getCpuVoltage() > 0) {
      probe.add(
          Quantity.gauge("voltage", "V").atMost(SLOW_HZ).of("cpu", "voltage.cpu"),
          sensors::getCpuVoltage);
    }
    int fans = sensors.getFanSpeeds().length;
    for (int i = 0; i < fans; i++) {
      int fan = i;
      String device = Integer.toString(fan + 1);
      probe.add(
          Quantity.gauge("fan", "1/min").atMost(SLOW_HZ).of(device, "fan." + device),
          () -> fan < sensors.getFanSpeeds().length ? sensors.getFanSpeeds()[fan] : Double.NaN);
    }
    return probe;
  }

  /** Load, memory, disks and network, where there is no cheaper way to them than OSHI. */
  static List<Probe> counters(HardwareAbstractionLayer hardware) {
    List<Probe> probes = new ArrayList<>();
    probes.add(new Processors(hardware.getProcessor()));
    probes.add(processor(hardware.getProcessor()));
    probes.add(memory(hardware.getMemory()));
    hardware.getDiskStores().stream()
        .limit(CounterTableProbe.MAX_DEVICES)
        .forEach(disk -> probes.add(disk(disk)));
    hardware.getNetworkIFs(false).stream()
        .limit(CounterTableProbe.MAX_DEVICES)
        .forEach(network -> probes.add(network(network)));
    return probes;
  }

  private static Probe processor(CentralProcessor processor) {
    OshiProbe probe = new OshiProbe(() -> {});
    probe.add(Quantity.rate("context.switches", "1/s"), processor::getContextSwitches);
    probe.add(Quantity.rate("interrupts", "1/s"), processor::getInterrupts);
    String[] names = {"load.1m", "load.5m", "load.15m"};
    for (int i = 0; i < names.length; i++) {
      int average = i;
      if (processor.getSystemLoadAverage(names.length)[average] >= 0) {
        probe.add(
            Quantity.gauge(names[i], "1").atMost(SLOW_HZ),
            () -> processor.getSystemLoadAverage(names.length)[average]);
      }
    }
    return probe;
  }

  private static Probe memory(GlobalMemory memory) {
    OshiProbe probe = new OshiProbe(() -> {});
    probe.add(
        Quantity.gauge("memory.used", "By"),
        () -> (double) memory.getTotal() - memory.getAvailable());
    probe.add(Quantity.gauge("memory.available", "By"), memory::getAvailable);
    if (memory.getVirtualMemory().getSwapTotal() > 0) {
      probe.add(Quantity.gauge("swap.used", "By"), () -> memory.getVirtualMemory().getSwapUsed());
    }
    return probe;
  }

  private static Probe disk(HWDiskStore disk) {
    String name = disk.getName().replaceAll("^/dev/|^[\\\\.]+", "");
    OshiProbe probe = new OshiProbe(disk::updateAttributes);
    probe.addDevice("disk", name, "reads", "1/s", 1, disk, HWDiskStore::getReads);
    probe.addDevice("disk", name, "read", "By/s", 1, disk, HWDiskStore::getReadBytes);
    probe.addDevice("disk", name, "writes", "1/s", 1, disk, HWDiskStore::getWrites);
    probe.addDevice("disk", name, "written", "By/s", 1, disk, HWDiskStore::getWriteBytes);
    probe.addDevice("disk", name, "busy", "%", 0.1, disk, HWDiskStore::getTransferTime);
    return probe;
  }

  private static Probe network(NetworkIF network) {
    String name = network.getName();
    OshiProbe probe = new OshiProbe(network::updateAttributes);
    probe.addDevice("net", name, "received", "By/s", 1, network, NetworkIF::getBytesRecv);
    probe.addDevice("net", name, "received.errors", "1/s", 1, network, NetworkIF::getInErrors);
    probe.addDevice("net", name, "sent", "By/s", 1, network, NetworkIF::getBytesSent);
    probe.addDevice("net", name, "sent.errors", "1/s", 1, network, NetworkIF::getOutErrors);
    return probe;
  }

  private <T> void addDevice(
      String prefix,
      String device,
      String suffix,
      String unit,
      double scale,
      T source,
      ToLongFunction<T> counter) {
    add(
        Quantity.rate(prefix + "." + suffix, unit)
            .scaled(scale)
            .atMost(DEVICE_HZ)
            .of(device, "%s.%s.%s".formatted(prefix, device, suffix)),
        () -> counter.applyAsLong(source));
  }

  @Override
  public List<Quantity> quantities() {
    return quantities;
  }

  @Override
  public void read(double[] raw, double[] whole) {
    look.run();
    for (int i = 0; i < raw.length; i++) {
      raw[i] = raws.get(i).getAsDouble();
      whole[i] = wholes.get(i).getAsDouble();
    }
  }

  /** The load of all processors and of each, from one query. */
  private static final class Processors implements Probe {
    private final CentralProcessor processor;
    private final List<Quantity> quantities = new ArrayList<>();

    Processors(CentralProcessor processor) {
      this.processor = processor;
      Quantity load = Quantity.share("cpu.load");
      quantities.add(load);
      for (int i = 0; i < processor.getLogicalProcessorCount(); i++) {
        quantities.add(load.of(Integer.toString(i), "cpu.load." + i));
      }
    }

    @Override
    public List<Quantity> quantities() {
      return quantities;
    }

    @Override
    public void read(double[] raw, double[] whole) {
      Arrays.fill(raw, 0);
      Arrays.fill(whole, 0);
      long[][] ticks = processor.getProcessorCpuLoadTicks();
      for (int i = 0; i < Math.min(ticks.length, raw.length - 1); i++) {
        whole[i + 1] = Arrays.stream(ticks[i]).sum();
        raw[i + 1] =
            whole[i + 1]
                - ticks[i][TickType.IDLE.getIndex()]
                - ticks[i][TickType.IOWAIT.getIndex()];
        whole[0] += whole[i + 1];
        raw[0] += raw[i + 1];
      }
    }
  }
}
