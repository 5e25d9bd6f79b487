package io.sedge.learning.training;

import io.sedge.learning.Reference;
import io.sedge.learning.training.internal.OnnxContent;
import io.sedge.learning.training.internal.TensorFlowGraph;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes models as SavedModels, which TensorFlow scores by. Equal models have equal bytes. No
 * TensorFlow is needed.
 */
public final class SavedModelFile {
  private SavedModelFile() {}

  /**
   * The SavedModel of a version: its signature {@code serving_default} has the inputs and outputs
   * of the ONNX file.
   *
   * @param onnx a file that {@link OnnxFile} has written
   * @return its files, by name with slashes
   * @throws IllegalArgumentException if it is another file
   */
  public static Map<String, byte[]> of(byte[] onnx) {
    OnnxContent content = OnnxContent.of(onnx);
    Map<String, byte[]> files = new TreeMap<>();
    files.put("saved_model.pb", TensorFlowGraph.of(content));
    String reference = content.metadata().get(Reference.KEY);
    if (reference != null) {
      files.put("assets.extra/" + Reference.KEY, reference.getBytes(StandardCharsets.UTF_8));
    }
    return files;
  }
}
