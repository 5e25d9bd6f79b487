package io.sedge.tensor.runtime;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.HashMap;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.TF_Buffer;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.OpList;

/** The operations that TensorFlow's library knows: their attributes, inputs and outputs. */
final class OpDefinitions {
  private final Map<String, OpDef> definitions;

  private OpDefinitions(Map<String, OpDef> definitions) {
    this.definitions = definitions;
  }

  /** Asks the library, which takes some milliseconds. */
  static OpDefinitions ofLibrary() {
    try (PointerScope _ = new PointerScope()) {
      TF_Buffer list = tensorflow.TF_GetAllOpList();
      try {
        Map<String, OpDef> definitions = new HashMap<>();
        for (OpDef definition : OpList.parseFrom(list.dataAsByteBuffer()).getOpList()) {
          definitions.put(definition.getName(), definition);
        }
        return new OpDefinitions(definitions);
      } finally {
        tensorflow.TF_DeleteBuffer(list);
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("TensorFlow's list of operations cannot be read", e);
    }
  }

  @Nullable OpDef find(String name) {
    return definitions.get(name);
  }
}
