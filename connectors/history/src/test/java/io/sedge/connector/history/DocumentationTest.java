package io.sedge.connector.history;

import io.sedge.connector.Keep;
import io.sedge.connector.testkit.Documentation;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class DocumentationTest {
  @Test
  void theDocumentHasTheOptionsAsTheyAreDeclared() throws IOException {
    Documentation.check(new HistoryConnector());
  }

  @Test
  void theDocumentHasWhatTablesSayOfKeeping() throws IOException {
    Documentation.check("keep", Keep.OPTIONS);
  }
}
