"""Pictures in grey and of other sizes by Gymnasium's wrappers, for rl/src/test/resources/golden/pictures.json.

    python benchmarks/golden_pictures.py > rl/src/test/resources/golden/pictures.json     # gymnasium, opencv-python
"""

import json

import cv2
import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.wrappers import GrayscaleObservation, ResizeObservation

draws = np.random.default_rng(7)


class Pictures(gymnasium.Env):
    action_space = spaces.Discrete(2)

    def __init__(self, picture):
        self.picture = picture
        self.observation_space = spaces.Box(0, 255, picture.shape, np.uint8)

    def reset(self, seed=None, options=None):
        return self.picture, {}


def tensor(picture):
    return {"shape": list(picture.shape), "dtype": "uint8", "data": picture.flatten().tolist()}


def case(height, width, to_height, to_width):
    picture = draws.integers(0, 256, (height, width, 3), dtype=np.uint8)
    grey = GrayscaleObservation(Pictures(picture)).reset()[0]
    resized = ResizeObservation(Pictures(picture), (to_height, to_width)).reset()[0]
    both = ResizeObservation(Pictures(grey), (to_height, to_width)).reset()[0]
    return {"picture": tensor(picture), "grey": tensor(grey), "resized": tensor(resized), "both": tensor(both)}


print(
    json.dumps(
        {
            "versions": f"gymnasium {gymnasium.__version__}, opencv {cv2.__version__}, numpy {np.__version__}",
            "cases": [case(12, 9, 4, 3), case(21, 16, 8, 7), case(10, 10, 10, 6)],
        }
    )
)
