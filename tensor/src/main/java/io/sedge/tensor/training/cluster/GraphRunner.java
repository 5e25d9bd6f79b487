package io.sedge.tensor.training.cluster;

import io.sedge.tensor.runtime.ClusterSession;
import io.sedge.tensor.runtime.ClusterStep;
import java.util.List;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.op.Op;

/** Runs parts of a graph: in this process, or on a cluster. */
@FunctionalInterface
public interface GraphRunner {
  /** A value for a placeholder. The tensor stays whoever made it. */
  record Feed(Operand<?> placeholder, Tensor value) {}

  /** Runs the targets and what is fetched; what is fetched is the caller's to close. */
  Result run(List<Feed> feeds, List<? extends Operand<?>> fetches, List<? extends Op> targets);

  /** In this process. */
  static GraphRunner local(Session session) {
    return (feeds, fetches, targets) -> {
      Session.Runner runner = session.runner();
      for (Feed feed : feeds) {
        runner.feed(feed.placeholder(), feed.value());
      }
      fetches.forEach(runner::fetch);
      targets.forEach(runner::addTarget);
      return runner.run();
    };
  }

  /** On a cluster. */
  static GraphRunner on(ClusterSession session) {
    return (feeds, fetches, targets) -> {
      ClusterStep step = session.step();
      for (Feed feed : feeds) {
        step.feed(feed.placeholder(), feed.value());
      }
      fetches.forEach(step::fetch);
      targets.forEach(step::target);
      return step.run();
    };
  }
}
