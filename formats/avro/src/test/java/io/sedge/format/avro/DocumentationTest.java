package io.sedge.format.avro;

import io.sedge.connector.testkit.Documentation;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class DocumentationTest {
  @Test
  void theDocumentHasTheOptionsAsTheyAreDeclared() throws IOException {
    Documentation.check(new AvroFormat());
    Documentation.check(new AvroConfluentFormat());
  }
}
