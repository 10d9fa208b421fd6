package faultline;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Page faults of each operation, as a profiler of JMH. Copy this file beside the benchmarks, and run
 *
 *   java -jar benchmarks.jar -prof faultline.FaultlineProfiler
 *
 * The faults, minor and major, are those of the whole process, the garbage collector's and the compiler's included, which
 * touch memory of their own: fix the heap (-jvmArgs "-Xms1g -Xmx1g -XX:+AlwaysPreTouch") to see what remains. Linux only.
 *
 * SPDX-License-Identifier: MIT-0
 */
public class FaultlineProfiler implements InternalProfiler {
  private long before;

  @Override
  public String getDescription() {
    return "Page faults per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = faults();
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    long operations = result.getMetadata().getAllOps();
    if (before < 0 || operations == 0) return Collections.emptyList();
    double each = (double) (faults() - before) / operations;
    return List.of(new ScalarResult("faults", each, "faults/op", AggregationPolicy.AVG));
  }

  /** So far, of this process; -1: the system does not tell. The name in the second field may have blanks and brackets. */
  static long faults() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return Long.parseLong(fields[7]) + Long.parseLong(fields[9]);
    } catch (IOException | RuntimeException unknown) {
      return -1;
    }
  }
}
