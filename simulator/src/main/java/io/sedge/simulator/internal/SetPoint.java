package io.sedge.simulator.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/**
 * A set-point that commands may change.
 *
 * @param least the least value allowed, in the unit of the sensor of the same name
 * @param most the greatest
 * @param get reads it
 * @param set sets it
 */
record SetPoint(double least, double most, DoubleSupplier get, DoubleConsumer set) {

  /** Those of the plant, by name. */
  static Map<String, SetPoint> of(Plant plant) {
    Map<String, SetPoint> all = new LinkedHashMap<>();
    all.put("process/tank-1/level", of(plant.level1, 0.3, 2.3));
    all.put("process/tank-1/temperature", of(plant.heat1, 12, 40));
    all.put("storage/tank-2/level", of(plant.level2, 0.3, 2.3));
    double[] speed = {plant.pump2.speed() * Pump.NOMINAL_RPM};
    all.put(
        "process/pump-2/speed",
        new SetPoint(
            600,
            Math.rint(Pump.NOMINAL_RPM * Pump.MAX_SPEED),
            () -> speed[0],
            rpm -> {
              speed[0] = rpm;
              plant.pump2.want(rpm / Pump.NOMINAL_RPM);
            }));
    all.put(
        "storage/valve-2/position",
        new SetPoint(0, 100, () -> plant.valve2.command() * 100, x -> plant.valve2.want(x / 100)));
    return all;
  }

  private static SetPoint of(Controller controller, double least, double most) {
    return new SetPoint(least, most, controller::setPoint, controller::setSetPoint);
  }
}
