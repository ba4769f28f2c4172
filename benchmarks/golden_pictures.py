"""Pictures in grey and of other sizes by Gymnasium's wrappers, for rl/src/test/resources/golden/pictures.json.

    python benchmarks/golden_pictures.py > rl/src/test/resources/golden/pictures.json     # gymnasium, opencv-python
"""

import json

import cv2
import gymnasium
import numpy as np
from golden_options import options
from gymnasium import spaces
from gymnasium.wrappers import GrayscaleObservation, ResizeObservation

# height x width of a picture, and those that it is resized to
PICTURES, SEED = options(__doc__, {"pictures": ["12x9:4x3", "21x16:8x7", "10x10:10x6"]})
draws = np.random.default_rng(SEED)


class Pictures(gymnasium.Env):
    action_space = spaces.Discrete(2)

    def __init__(self, picture):
        self.picture = picture
        self.observation_space = spaces.Box(0, 255, picture.shape, np.uint8)

    def reset(self, seed=None, options=None):
        return self.picture, {}


def tensor(picture):
    return {"shape": list(picture.shape), "dtype": "uint8", "data": picture.flatten().tolist()}


def case(sizes):
    (height, width), to = ([int(side) for side in size.split("x")] for size in sizes.split(":"))
    picture = draws.integers(0, 256, (height, width, 3), dtype=np.uint8)
    grey = GrayscaleObservation(Pictures(picture)).reset()[0]
    resized = ResizeObservation(Pictures(picture), tuple(to)).reset()[0]
    both = ResizeObservation(Pictures(grey), tuple(to)).reset()[0]
    return {"picture": tensor(picture), "grey": tensor(grey), "resized": tensor(resized), "both": tensor(both)}


print(
    json.dumps(
        {
            "versions": f"gymnasium {gymnasium.__version__}, opencv {cv2.__version__}, numpy {np.__version__}",
            "cases": [case(sizes) for sizes in PICTURES],
        }
    )
)
