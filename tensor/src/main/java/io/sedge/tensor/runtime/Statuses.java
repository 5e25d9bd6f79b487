package io.sedge.tensor.runtime;

import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;

/** Reads the status that a native call leaves behind. */
final class Statuses {
  private Statuses() {}

  /**
   * Throws what the status says.
   *
   * @param what what was being done, after TensorFlow's own words; empty if those say it
   * @throws TensorFlowStatusException unless the status is OK
   */
  static void check(TF_Status status, String what) {
    StatusCode code = code(status);
    if (code != StatusCode.OK) {
      throw exception(code, message(status), what);
    }
  }

  static StatusCode code(TF_Status status) {
    return StatusCode.of(tensorflow.TF_GetCode(status));
  }

  static String message(TF_Status status) {
    @Nullable BytePointer text = tensorflow.TF_Message(status);
    return text == null ? "" : text.getString();
  }

  private static TensorFlowStatusException exception(StatusCode code, String message, String what) {
    return new TensorFlowStatusException(
        code, what.isEmpty() ? message : message + " (" + what + ")");
  }
}
