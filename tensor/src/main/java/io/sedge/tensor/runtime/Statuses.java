package io.sedge.tensor.runtime;

import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;

/** Reads the status that a native call leaves behind. */
final class Statuses {
  /** TensorFlow may repeat a whole request, tensors included. */
  static final int MOST_CHARACTERS = 4_000;

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
    return text == null ? "" : shortened(text.getString());
  }

  /** A long message without its middle: what it is of stands first, where it was last. */
  static String shortened(String message) {
    int surplus = message.length() - MOST_CHARACTERS;
    if (surplus <= 0) {
      return message;
    }
    int half = MOST_CHARACTERS / 2;
    return message.substring(0, half)
        + " ... ("
        + surplus
        + " characters) ... "
        + message.substring(message.length() - half);
  }

  private static TensorFlowStatusException exception(StatusCode code, String message, String what) {
    return new TensorFlowStatusException(
        code, what.isEmpty() ? message : message + " (" + what + ")");
  }
}
