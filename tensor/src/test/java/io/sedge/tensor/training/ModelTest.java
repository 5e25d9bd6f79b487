package io.sedge.tensor.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.training.Layer.Conv1D;
import io.sedge.tensor.training.Layer.Dense;
import io.sedge.tensor.training.Layer.Flatten;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelTest {
  private static final Head SQUARES = new Head.Regression(Head.Distance.SQUARED);

  @Test
  void parametersAreCounted() {
    Model model = Model.of(10, List.of(new Dense(64, Activation.RELU)), new Head.Binary());
    assertThat(model.parameters()).isEqualTo(10 * 64 + 64 + 64 + 1);
  }

  @Test
  void aConvolutionShortensAWindowByItsKernelAndStride() {
    assertThat(windowed(10, new Conv1D(2, 3, 2, false, Activation.RELU)).weights().get(2).shape())
        .isEqualTo(List.of(4 * 2, 1));
    assertThat(windowed(10, new Conv1D(2, 3, 2, true, Activation.RELU)).weights().get(2).shape())
        .isEqualTo(List.of(5 * 2, 1));
  }

  @Test
  void layersThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> windowed(5, new Dense(3, Activation.RELU)))
        .hasMessageContaining("layer_0 is dense and needs a flat example, not one of 5 rows of 2")
        .hasMessageContaining("flatten");
    assertThatThrownBy(() -> windowed(5, new Conv1D(3, 6, 1, false, Activation.RELU)))
        .hasMessageContaining("layer_0 is a convolution over 6 rows and gets an example of 5 rows");
    assertThatThrownBy(() -> windowed(5, new Flatten(), new Conv1D(3, 2, 1, true, Activation.RELU)))
        .hasMessageContaining(
            "layer_1 is a convolution over 2 rows and gets an example of one row");
    assertThatThrownBy(() -> new Dense(0, Activation.RELU))
        .hasMessageContaining("units is 0; it is 1 or more");
    assertThatThrownBy(() -> new Head.MultiClass(1)).hasMessageContaining("classes is 1");
    assertThatThrownBy(
            () -> new Model(1, 3, List.of(), new Head.Binary(), 2, Model.Precision.FLOAT32, 1))
        .hasMessageContaining("2 targets, but a head for binary needs 1");
  }

  @Test
  void ratesThatCannotBeAreRefused() {
    assertThatThrownBy(() -> new Optimizer.Sgd(0)).hasMessageContaining("learning rate is 0.0");
    assertThatThrownBy(() -> new Optimizer.Momentum(1, 1, false))
        .hasMessageContaining("momentum is 1.0; it is from 0 to below 1");
    assertThatThrownBy(() -> new Optimizer.Adam(Double.NaN)).hasMessageContaining("NaN");
  }

  private static Model windowed(int window, Layer... layers) {
    return new Model(window, 2, List.of(layers), SQUARES, 1, Model.Precision.FLOAT32, 1);
  }
}
