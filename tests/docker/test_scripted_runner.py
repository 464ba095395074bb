"""The built-in scripted runner in its own image: it works, and whatever it is called it stays a self-test (R-I3)."""

from __future__ import annotations

import agents
import pytest
from live import runner_json

from steps import documents, suite
from steps.isolation import images
from steps.judging import rederive
from steps.packing.consumer import Consumer
from steps.running import config, live, protocol
from steps.running.runner_docker import DockerLauncher

pytestmark = pytest.mark.slow


def test_i3_the_built_in_image_answers_and_is_known_by_label_and_by_file(
    engine, verifier_image: str, prepared: Consumer
) -> None:
    made = images.prepare(engine, [images.scripted_runner()], agents.PORT)
    image = next(iter(made.values()))
    args = ["/opt/runners/self_test.mjs", "/opt/solutions"]
    chosen = config.check(runner_json(image, verifier_image, args=args), where="runner.json")
    found = live.review(chosen)
    assert found.self_test
    assert found.files["/opt/runners/self_test.mjs"] in rederive.scripted_runners()
    task = suite.load_task(suite.load().task_dir(agents.TASK))
    asked = protocol.request(
        run=f"b/{agents.TASK}-1", task=task, text="x", consumer_dir="/consumer", output_dir="/solution", attempt=1,
        time_budget_ms=1000, feedback=None,
    )  # fmt: skip
    launcher = DockerLauncher(engine, chosen, {}, {"batch": "test-scripted", "run": "r"})
    with launcher.space(prepared, suite.load().task_dir(agents.TASK), {}, 1) as space:
        ended = agents.run(space, documents.canonical(asked))
        assert ended.exit_code == 0, ended.stderr_tail
        assert documents.parse_strict(ended.stdout, where="answer")["runner"]["name"] == "scripted-runner"
        assert space.collect(task["allowedOutputPaths"], suite.load().limits).files
    assert agents.left(engine, {"batch": "test-scripted"}) == []
