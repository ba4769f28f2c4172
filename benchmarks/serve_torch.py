"""A policy 4-64-64-2 of PyTorch behind FastAPI, for serve_load.py: uvicorn serve_torch:app"""
import torch
from fastapi import FastAPI
from pydantic import BaseModel
from torch import nn

torch.set_num_threads(1)  # faster than two, for a network as small as this
policy = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 2))
app = FastAPI()


class Row(BaseModel):
    observation: list[float]


@app.post("/infer")
async def infer(row: Row):
    with torch.inference_mode():
        return {"logits": policy(torch.tensor([row.observation]))[0].tolist()}
