package io.sedge.tensor.training.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvFilesTest {
  @TempDir private Path folder;

  @Test
  void wantedColumnsAreReadInTheWantedOrderAndOthersMayHoldAnything() throws IOException {
    Path file = write("time,\"a, b\",c\n2026-01-01,1.5,x\n2026-01-02,-2e3,\"y\"\"\"\n");
    Table table = CsvFiles.read(List.of(file), List.of("a, b"));
    assertThat(table.rows()).isEqualTo(2);
    assertThat(table.value(1, 0)).isEqualTo(-2000);
  }

  @Test
  void severalFilesAreOneTable() throws IOException {
    Path file = write("a;b\n1;2\n");
    Table table = CsvFiles.read(List.of(file, file), List.of("b", "a"));
    assertThat(table.rows()).isEqualTo(2);
    assertThat(table.value(1, 0)).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,b$1,2$3,NaN            | line 3, column 'b' is NaN; only finite numbers",
        "a,b$1,2$3,               | line 3, column 'b' is empty; every row needs a number there",
        "a,b$1,x                  | line 2, column 'b' is 'x', which is no number",
        "a,b$1,2,3                | line 2 has 3 fields; the first line names 2 columns",
        "a,B$1,2                  | has no column 'b' (did you mean 'B'?); its columns are a, B",
        "a,c$1,2                  | has no column 'b'; its columns are a, c",
        "a,b                      | has no rows",
        "a,b$1,-Infinity          | line 2, column 'b' is -Infinity",
      })
  void whatCannotBeTrainedOnIsRefusedWithItsPlace(String text, String message) throws IOException {
    Path file = write(text.replace('$', '\n'));
    assertThatThrownBy(() -> CsvFiles.read(List.of(file), List.of("a", "b")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(message)
        .hasMessageContaining(file.toString());
  }

  @Test
  void aMissingOrEmptyFileIsNamed() throws IOException {
    Path missing = folder.resolve("missing.csv");
    assertThatThrownBy(() -> CsvFiles.read(List.of(missing), List.of("a")))
        .hasMessageContaining(missing + " does not exist");
    Path empty = write("");
    assertThatThrownBy(() -> CsvFiles.read(List.of(empty), List.of("a")))
        .hasMessageContaining("is empty; its first line should name the columns");
    assertThatThrownBy(() -> CsvFiles.read(List.of(folder), List.of("a")))
        .hasMessageContaining("is not a file");
  }

  @Test
  void aSupplierOfRowsIsCheckedAlike() {
    assertThatThrownBy(
            () ->
                Table.of(
                    "readings",
                    List.of("a", "b"),
                    List.of(new double[] {1, 2}, new double[] {Double.NaN, 2})))
        .hasMessageContaining("readings, row 2, column 'a' is NaN");
    assertThatThrownBy(() -> Table.of("readings", List.of("a", "b"), List.of(new double[] {1})))
        .hasMessageContaining("readings, row 1 has 1 numbers; its columns are 2: [a, b]");
    assertThatThrownBy(() -> Table.of("readings", List.of("a", "a"), List.of()))
        .hasMessageContaining("has a column twice: [a]");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("data.csv"), text);
  }
}
