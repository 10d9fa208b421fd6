"""Recordings of Faultline as tables: page faults and zeroed memory by process, frame and call stack.

    import faultline
    with faultline.open("day.faultline") as recording:
        for row in recording.processes().differences(): ...
        recording.system().to_pandas()
        recording.frames().to_arrow(), recording.faults().to_polars()
        print(recording.loss.remark() or "whole")

SPDX-License-Identifier: MIT-0
"""
from .metrics import Metric
from .packets import Loss, NotARecording
from .recording import Hello, Recording, open
from .table import Column, Table

__version__ = "0.1.0"
__all__ = ["Column", "Hello", "Loss", "Metric", "NotARecording", "Recording", "Table", "open"]
