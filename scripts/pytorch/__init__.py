"""What scripts/compare_pytorch.py is made of. Only `world`, `start_gate`, `workload`, `arms`,
`symmetric_memory` and `campaign` need PyTorch; the others are pure Python."""
