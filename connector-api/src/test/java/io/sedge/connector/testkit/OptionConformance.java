package io.sedge.connector.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds for the options of every connector and format. */
final class OptionConformance {
  private OptionConformance() {}

  static void check(ConnectorFactory connector, TableDescriptor table) {
    Connectors connectors =
        new Connectors(
            List.of(connector), Formats.installed(OptionConformance.class.getClassLoader()));
    assertThat(connectors.problems(connector, table)).isEmpty();
    Map<String, String> more = new HashMap<>(table.options());
    more.put("no.such.option", "1");
    assertThat(Options.problems(table.name(), connectors.options(connector, table), more))
        .singleElement()
        .asString()
        .startsWith("table " + table.name() + ": option 'no.such.option' is unknown");
    Set<String> keys = new HashSet<>();
    for (Option option : connectors.options(connector, table)) {
      assertThat(keys.add(option.key())).as("'%s' is declared once", option.key()).isTrue();
      assertThat(option.description()).as(option.key()).isNotBlank().endsWith(".");
      if (!option.required()) {
        Map<String, String> defaults = new HashMap<>();
        option.defaultValue().ifPresent(value -> defaults.put(option.key(), value));
        assertThat(Options.problems("t", List.of(option), defaults))
            .as("the default of '%s' is a value that it takes", option.key())
            .isEmpty();
      }
    }
  }
}
