package io.sedge.simulator.internal;

import io.sedge.simulator.Fault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Two floors of two meeting rooms each, with mechanical ventilation, in real times. People come by
 * chance; each gives off 20 l/h of CO2 (CEN/TR 16798-2) and 70 W. Rooms are well mixed: {@code V
 * dC/dt = N G + Q (C_out − C)}. Each has a damper, and a floor a fan whose power follows the cube
 * of the flow, a heat recovery of 70 %, a heating coil and radiators.
 */
public final class BuildingScene extends Scene {
  static final double STEP = 1;

  private static final double HOUR = 3600;
  private static final double ROOM_M3 = 150;
  private static final double OUTDOOR_CO2 = 422;
  private static final double CO2_M3_PER_HOUR = 0.020;
  private static final double WATT_PER_PERSON = 70;

  /** Through an open damper, m³/h: 10 l/s for each of ten people. */
  private static final double FULL_FLOW = 360;

  /** Seconds from closed to open. */
  private static final double DAMPER_SECONDS = 90;

  private static final double LEAST_DAMPER = 25;
  private static final double FULL_HOUSE = 12;
  private static final double SUPPLY = 18;
  private static final double HEAT_RECOVERY = 0.7;

  /** Of a m³ of air, Wh/K. */
  private static final double AIR_HEAT = 0.34;

  /** Of a room with its furniture, Wh/K. */
  private static final double ROOM_HEAT = 250;

  private static final double WALLS_WATT_PER_KELVIN = 30;
  private static final double RADIATOR_WATT = 1500;

  /** A radiator gives all it has at 2 K below this. */
  private static final double WANTED = 21;

  private static final double FAN_KW = 0.4;
  private static final double FAN_IDLE_KW = 0.03;

  private final SplittableRandom random;
  private final Map<String, Room> rooms = new LinkedHashMap<>();
  private double time;

  public BuildingScene(Start start) {
    super(start, STEP);
    random = new SplittableRandom(start.seed());
    addFloor("floor-1", "room-101", "room-102");
    addFloor("floor-2", "room-201", "room-202");
    add("roof/station/co2", Sensor.Kind.slow("[ppm]", 2, 1), () -> OUTDOOR_CO2);
    add("roof/station/temperature", Sensor.Kind.slow("Cel", 0.1, 0.1), this::outdoors);
  }

  private void addFloor(String floor, String... names) {
    List<Room> ofFloor = new ArrayList<>();
    for (String name : names) {
      Room room = new Room();
      ofFloor.add(room);
      addRoom(floor + "/" + name, room);
    }
    add(floor + "/fan/power", Sensor.Kind.slow("kW", 0.005, 0.001), () -> fan(ofFloor));
    add(floor + "/heating/power", Sensor.Kind.slow("kW", 0.01, 0.001), () -> heating(ofFloor));
  }

  private void addRoom(String name, Room room) {
    rooms.put(name, room);
    add(name + "/co2", Sensor.Kind.slow("[ppm]", 8, 1), () -> room.co2);
    add(name + "/temperature", Sensor.Kind.slow("Cel", 0.05, 0.1), () -> room.temperature);
    add(name + "/occupancy", new Sensor.Kind("1", 0, 1), room::people);
    add(name + "/airflow", Sensor.Kind.slow("m3/h", 3, 1), room::airflow);
    add(name + "/damper", new Sensor.Kind("%", 0, 1), () -> room.damper);
    add(
        name + "/damper",
        new SetPoint(0, 100, () -> room.damper, percent -> room.damper = percent));
  }

  private double outdoors() {
    return 5 - 4 * Math.cos(2 * Math.PI * time / (24 * HOUR));
  }

  private static double fan(List<Room> floor) {
    double flow = floor.stream().mapToDouble(Room::airflow).sum();
    return FAN_IDLE_KW + FAN_KW * Math.pow(flow / (FULL_FLOW * floor.size()), 3);
  }

  private double heating(List<Room> floor) {
    return floor.stream().mapToDouble(room -> room.coil() + room.radiator()).sum() / 1000;
  }

  @Override
  void advance() {
    time += STEP;
    rooms.values().forEach(Room::step);
  }

  @Override
  void apply(Fault fault, String target, boolean on) {
    Room room = Objects.requireNonNull(rooms.get(target));
    switch (fault) {
      case FULL_HOUSE -> room.fullHouse = on;
      case STUCK_DAMPER -> room.stuck = on;
      default -> throw new IllegalArgumentException(fault + " does not befall a building");
    }
  }

  /** One room. */
  private final class Room {
    private static final int MOST_INVITED = 6;
    private static final double LEAST_MINUTES = 30;
    private static final double MORE_MINUTES = 60;

    private int invited;
    private double until;
    private boolean fullHouse;
    private boolean stuck;

    /** ppm. */
    private double co2 = OUTDOOR_CO2;

    private double temperature = WANTED;

    /** What is commanded, percent. */
    private double damper = LEAST_DAMPER;

    /** Where it is, percent. */
    private double position = LEAST_DAMPER;

    double people() {
      return fullHouse ? FULL_HOUSE : invited;
    }

    /** m³/h. */
    double airflow() {
      return FULL_FLOW * position / 100;
    }

    /** What its share of the coil takes to heat what comes from outdoors, W. */
    double coil() {
      double recovered = outdoors() + HEAT_RECOVERY * (temperature - outdoors());
      return AIR_HEAT * airflow() * Math.max(0, SUPPLY - recovered);
    }

    /** W. */
    double radiator() {
      return RADIATOR_WATT * Math.clamp((WANTED - temperature) / 2, 0, 1);
    }

    void step() {
      meet();
      double travel = stuck ? 0 : 100 * STEP / DAMPER_SECONDS;
      position += Math.clamp(damper - position, -travel, travel);
      double fresh = airflow() * (OUTDOOR_CO2 - co2);
      co2 += (1e6 * CO2_M3_PER_HOUR * people() + fresh) / ROOM_M3 * STEP / HOUR;
      double gained =
          WATT_PER_PERSON * people()
              + radiator()
              + WALLS_WATT_PER_KELVIN * (outdoors() - temperature)
              + AIR_HEAT * airflow() * (SUPPLY - temperature);
      temperature += gained / ROOM_HEAT * STEP / HOUR;
    }

    /** After a meeting nobody is there for as long as the next one would take. */
    private void meet() {
      if (time >= until) {
        until = time + 60 * (LEAST_MINUTES + MORE_MINUTES * random.nextDouble());
        invited = invited > 0 ? 0 : random.nextInt(2, MOST_INVITED + 1);
      }
    }
  }
}
