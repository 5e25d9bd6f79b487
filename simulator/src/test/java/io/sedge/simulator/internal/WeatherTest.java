package io.sedge.simulator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Against the numbers of FAO Irrigation and Drainage Paper 56. */
final class WeatherTest {
  private static final double MINUTE = 60;

  private final Weather weather = new Weather();

  // Its table 2.3.
  @Test
  void saturatedAirHoldsWhatTheTableSays() {
    assertThat(Weather.saturation(1)).isCloseTo(0.657, within(0.001));
    assertThat(Weather.saturation(15)).isCloseTo(1.705, within(0.001));
    assertThat(Weather.saturation(24.5)).isCloseTo(3.075, within(0.001));
  }

  // 33.2 MJ/m² by equation 21, of which three quarters arrive. Hargreaves' equation 52 knows only
  // temperatures, so the two agree but roughly.
  @Test
  void aDaysEvapotranspirationIsNearThatByHargreaves() {
    double solar = 0;
    double lost = 0;
    double coldest = Double.MAX_VALUE;
    double warmest = -Double.MAX_VALUE;
    for (int minute = 0; minute < 24 * 60; minute++) {
      weather.step(MINUTE);
      solar += weather.solar() / 60;
      lost += weather.evapotranspiration() / 60;
      coldest = Math.min(coldest, weather.temperature());
      warmest = Math.max(warmest, weather.temperature());
    }
    assertThat(solar).isCloseTo(0.75 * 33.2, within(0.1));
    double hargreaves =
        0.0023 * ((coldest + warmest) / 2 + 17.8) * Math.sqrt(warmest - coldest) * 0.408 * 33.2;
    assertThat(lost).isCloseTo(hargreaves, within(0.25 * hargreaves));
  }

  @Test
  void aColdSnapBringsFrostAndDryAir() {
    weather.setColdSnap(true);
    for (int minute = 0; minute < 180; minute++) {
      weather.step(MINUTE);
    }
    assertThat(weather.temperature()).isCloseTo(-4, within(0.1));
    assertThat(weather.dewPoint()).isCloseTo(-4, within(0.1));
    weather.setColdSnap(false);
    for (int minute = 0; minute < 12 * 60; minute++) {
      weather.step(MINUTE);
    }
    assertThat(weather.temperature()).isCloseTo(21, within(0.1));
    assertThat(weather.humidity(21)).isCloseTo(33, within(1.0));
  }
}
