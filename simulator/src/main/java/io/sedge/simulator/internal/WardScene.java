package io.sedge.simulator.internal;

import io.sedge.simulator.Fault;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Four patients at bedside monitors. Vital signs wander around what is usual for the patient (an
 * Ornstein-Uhlenbeck process). One who becomes septic breathes and beats faster, gets hot, and
 * loses blood pressure and oxygen, within three minutes. Not a model of a body: signs for an
 * early-warning score.
 */
public final class WardScene extends Scene {
  static final double STEP = 0.1;

  private static final double WANDER_SECONDS = 60;
  private static final double SEPSIS_SECONDS = 180;

  private final SplittableRandom random;
  private final Map<String, Patient> patients = new LinkedHashMap<>();

  public WardScene(Start start) {
    super(start, STEP);
    random = new SplittableRandom(start.seed());
    for (String bed :
        new String[] {"room-1/bed-1", "room-1/bed-2", "room-2/bed-1", "room-2/bed-2"}) {
      addPatient(bed);
    }
  }

  private void addPatient(String bed) {
    Patient patient = new Patient();
    patients.put(bed, patient);
    add(bed + "/respiration_rate", new Sensor.Kind("/min", 0.4, 1), () -> patient.sign(15, 1, 13));
    add(bed + "/oxygen_saturation", new Sensor.Kind("%", 0.3, 1), () -> patient.sign(97.5, 0, -6));
    add(
        bed + "/systolic_pressure",
        new Sensor.Kind("mm[Hg]", 1, 1),
        () -> patient.sign(124, -5, -36));
    add(bed + "/heart_rate", new Sensor.Kind("/min", 1, 1), () -> patient.sign(74, 6, 54));
    add(
        bed + "/temperature",
        new Sensor.Kind("Cel", 0.03, 0.1),
        () -> patient.sign(36.8, 0.1, 2.4));
  }

  @Override
  void advance() {
    patients.values().forEach(Patient::step);
  }

  @Override
  void apply(Fault fault, String target, boolean on) {
    if (fault != Fault.SEPSIS) {
      throw new IllegalArgumentException(fault + " does not befall a ward");
    }
    Objects.requireNonNull(patients.get(target)).sepsis.set(on);
  }

  /** One patient. */
  private final class Patient {
    private final Worsening sepsis = new Worsening(SEPSIS_SECONDS);

    /** How awake, about -1 to 1. */
    private double mood;

    double sign(double usual, double byMood, double bySepsis) {
      return usual + byMood * mood + bySepsis * sepsis.part();
    }

    void step() {
      sepsis.step(STEP);
      double pull = STEP / WANDER_SECONDS;
      mood += -mood * pull + 0.5 * Math.sqrt(2 * pull) * random.nextGaussian();
    }
  }
}
